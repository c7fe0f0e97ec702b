package api

import (
	"context"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/content/pack"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/library"
	"github.com/skaldrpg/skald/pkg/limits"
	"github.com/skaldrpg/skald/pkg/rpc"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	contentv1 "github.com/skaldrpg/skald/proto/skald/content/v1"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"github.com/skaldrpg/skald/services/encounter/internal/shelf"
)

// mainFile is the file of a pack that says what the pack is.
const mainFile = "pack.yaml"

// Content answers the calls about packs.
type Content struct {
	encounterv1.UnimplementedContentServiceServer
	// Shelf is the packs of tables.
	Shelf *shelf.Shelf
	// Base is what the packs of a rule system are laid over.
	Base func(system string) (effects.Base, error)
	// Systems are the rule systems that can be played.
	Systems *rules.Registry
}

// atTable checks who asks about which table, and fills in the table.
func atTable(as *eventv1.Principal, table string) (string, error) {
	if err := aggregate.CheckPrincipal(as); err != nil {
		return "", err
	}
	if table == "" {
		return aggregate.DefaultTable, nil
	}
	if !rules.ValidID(table) {
		return "", fault.Field("table", "must be 1 to 64 letters, digits, '-' or '_'")
	}
	return table, nil
}

// masters refuses all but game masters; spectators refuses those alone.
func masters(as *eventv1.Principal) error {
	if as.GetRole() != eventv1.Principal_ROLE_GM {
		return fault.New(fault.Denied, "NOT_ALLOWED", "only the game master may do that")
	}
	return nil
}

func spectators(as *eventv1.Principal) error {
	if as.GetRole() == eventv1.Principal_ROLE_SPECTATOR {
		return fault.New(fault.Denied, "NOT_ALLOWED", "spectators only watch")
	}
	return nil
}

// given is what a request gives a pack as.
type given interface {
	GetFiles() []*encounterv1.PackFile
	GetPack() []byte
}

// read reads a pack and says what is wrong with it. Faults are about the request.
func (c *Content) read(req given) (*contentv1.Pack, pack.Problems, error) {
	switch files, data := req.GetFiles(), req.GetPack(); {
	case len(files) > 0 && len(data) > 0:
		return nil, nil, fault.Field("pack", "give files or a pack, not both")
	case len(files) > 0:
		dir, err := library.Folder(files)
		if err != nil {
			return nil, nil, err
		}
		p, problems := pack.Read(dir)
		return c.check(p, problems)
	case len(data) > 0:
		p, err := pack.Unmarshal(data)
		if err != nil {
			return nil, nil, err
		}
		return c.check(p, nil)
	}
	return nil, nil, fault.Field("files", "missing")
}

// check adds what is wrong with a pack that was read.
func (c *Content) check(p *contentv1.Pack, problems pack.Problems) (*contentv1.Pack, pack.Problems, error) {
	if len(problems) > 0 || p == nil {
		return p, problems, nil
	}
	base, err := c.Base(p.System)
	if fault.Is(err, fault.NotFound) {
		return p, pack.Problems{{File: mainFile, Field: "system", Text: err.Error()}}, nil
	}
	if err != nil {
		return nil, nil, err
	}
	problems = pack.Check(p, base)
	for _, v := range rpc.CheckNames(p) {
		problems = append(problems, pack.Problem{Field: v.Field, Text: v.Description})
	}
	return p, problems, nil
}

// PutPack keeps a pack at a table.
func (c *Content) PutPack(ctx context.Context, req *encounterv1.PutPackRequest) (*encounterv1.PutPackResponse, error) {
	table, err := atTable(req.As, req.Table)
	if err != nil {
		return nil, err
	}
	if err := masters(req.As); err != nil {
		return nil, err
	}
	p, problems, err := c.read(req)
	if err != nil {
		return nil, err
	}
	if len(problems) > 0 {
		return nil, refused(problems)
	}
	data := req.Pack // as it is: other bytes would be another pack
	if len(data) == 0 {
		if data, err = pack.Marshal(p); err != nil {
			return nil, err
		}
	}
	summary, repeated, err := c.Shelf.Put(ctx, table, req.As, data)
	if err != nil {
		return nil, err
	}
	return &encounterv1.PutPackResponse{Pack: summary, Repeated: repeated}, nil
}

// refused is the fault about a pack with mistakes.
func refused(problems pack.Problems) error {
	f := fault.New(fault.Invalid, "PACK_PROBLEMS", "%d things are wrong with the pack", len(problems))
	for _, p := range problems {
		file := p.File
		if file == "" {
			file = mainFile
		}
		f.Violations = append(f.Violations, fault.Violation{File: file, Line: p.Line, Field: p.Field, Description: p.Text})
	}
	return f
}

// CheckPack says everything that is wrong with a pack.
func (c *Content) CheckPack(_ context.Context, req *encounterv1.CheckPackRequest) (*encounterv1.CheckPackResponse, error) {
	if _, err := atTable(req.As, req.Table); err != nil {
		return nil, err
	}
	if err := masters(req.As); err != nil {
		return nil, err
	}
	p, problems, err := c.read(req)
	if err != nil {
		return nil, err
	}
	out := &encounterv1.CheckPackResponse{Count: uint32(len(problems))} //nolint:gosec // a number of mistakes
	for _, w := range problems[:min(len(problems), limits.PackProblems)] {
		out.Problems = append(out.Problems, &encounterv1.PackProblem{File: w.File, Line: uint32(max(0, w.Line)), Field: w.Field, Text: w.Text}) //nolint:gosec // not negative
	}
	if p == nil {
		return out, nil
	}
	data := req.Pack
	if len(data) == 0 && len(problems) == 0 {
		if data, err = pack.Marshal(p); err != nil {
			return nil, err
		}
	}
	if out.Pack = library.Describe(p, data); len(problems) > 0 {
		out.Pack.Digest, out.Pack.Bytes = "", 0
	}
	return out, nil
}

// GetPack returns a pack as it is stored.
func (c *Content) GetPack(ctx context.Context, req *encounterv1.GetPackRequest) (*encounterv1.GetPackResponse, error) {
	table, err := atTable(req.As, req.Table)
	if err != nil {
		return nil, err
	}
	if err := spectators(req.As); err != nil {
		return nil, err
	}
	summary, data, err := c.Shelf.Find(ctx, table, "", req.Pack)
	if err != nil {
		return nil, err
	}
	return &encounterv1.GetPackResponse{Summary: summary, Pack: data}, nil
}

// ListPacks lists the packs of a table.
func (c *Content) ListPacks(ctx context.Context, req *encounterv1.ListPacksRequest) (*encounterv1.ListPacksResponse, error) {
	table, err := atTable(req.As, req.Table)
	if err != nil {
		return nil, err
	}
	if err := spectators(req.As); err != nil {
		return nil, err
	}
	all, err := c.Shelf.List(ctx, table, req.System)
	return &encounterv1.ListPacksResponse{Packs: all}, err
}

// ListContent lists what packs offer by name.
func (c *Content) ListContent(ctx context.Context, req *encounterv1.ListContentRequest) (*encounterv1.ListContentResponse, error) {
	table, err := atTable(req.As, req.Table)
	if err != nil {
		return nil, err
	}
	if err := spectators(req.As); err != nil {
		return nil, err
	}
	if n := len(req.Packs); n > limits.Packs {
		return nil, fault.Limit("packs of an encounter", limits.Packs, int64(n))
	}
	l := newListing(req.Kind)
	for _, name := range req.Packs {
		summary, data, err := c.Shelf.Find(ctx, table, "", name)
		if err != nil {
			return nil, err
		}
		p, err := pack.Unmarshal(data)
		if err != nil {
			return nil, err
		}
		l.add(summary.Digest, p)
	}
	return &encounterv1.ListContentResponse{Entries: l.entries()}, nil
}
