package api

import (
	"context"
	"fmt"
	"sync"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/branch"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/library"
	"github.com/skaldrpg/skald/pkg/limits"
	"github.com/skaldrpg/skald/pkg/rules"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"github.com/skaldrpg/skald/services/encounter/internal/engine"
	"github.com/skaldrpg/skald/services/encounter/internal/verify"
)

// uploadFor is how long an import waits for its next part.
const uploadFor = 10 * time.Minute

// Uploads are the exports that are being given, kept in memory until they are whole.
type Uploads struct {
	mu   sync.Mutex
	open map[aggregate.Name]*upload
	// deciding has room for the one import that is decided again: it takes a core.
	deciding chan struct{}
}

// NewUploads keeps none yet.
func NewUploads() *Uploads {
	return &Uploads{open: map[aggregate.Name]*upload{}, deciding: make(chan struct{}, 1)}
}

// upload is as much of an export as was given.
type upload struct {
	by       string
	given    uint64
	bytes    int
	touched  time.Time
	commits  [][]byte
	packs    map[string][]byte
	branches map[string][][]byte
}

// Import takes an export of another server in parts; with the last it decides the
// whole again and stores it.
func (s *Server) Import(ctx context.Context, req *encounterv1.ImportRequest) (*encounterv1.ImportResponse, error) {
	if err := aggregate.CheckPrincipal(req.As); err != nil {
		return nil, err
	}
	if req.As.Role != eventv1.Principal_ROLE_GM {
		return nil, fault.New(fault.Denied, "NOT_ALLOWED", "only the game master may do that")
	}
	n := aggregate.Name{Table: aggregate.TableOr(req.Table), Kind: aggregate.Encounter, ID: req.Encounter}
	if err := aggregate.CheckID("table", n.Table); err != nil {
		return nil, err
	}
	if err := aggregate.CheckID("encounter", n.ID); err != nil {
		return nil, err
	}
	u, err := s.Uploads.take(n, req.As.GetName(), req, time.Now())
	if err != nil {
		return nil, err
	}
	out := &encounterv1.ImportResponse{Given: u.given}
	if !req.Last {
		return out, nil
	}
	report, err := s.whole(ctx, n, u)
	if err != nil {
		return nil, err
	}
	for _, digest := range rules.SortedKeys(u.packs) {
		if _, err := s.Content.PutPack(ctx, &encounterv1.PutPackRequest{As: req.As, Table: n.Table, Pack: u.packs[digest]}); err != nil {
			return nil, err
		}
	}
	rec := engine.Record{Table: n.Table, ID: n.ID, Commits: u.commits, Branches: u.branches}
	if err := s.Engine.Import(ctx, req.As, rec); err != nil {
		return nil, err
	}
	out.Commits, out.Decided = uint64(len(u.commits)), uint64(report.Decided) //nolint:gosec // a number of Commits
	return out, nil
}

// take adds the part of a request to its upload. What was given whole is handed over
// and forgotten.
func (l *Uploads) take(n aggregate.Name, by string, req *encounterv1.ImportRequest, now time.Time) (*upload, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	// order-free: each goes by itself
	for name, u := range l.open {
		if now.Sub(u.touched) > uploadFor {
			delete(l.open, name)
		}
	}
	u := l.open[n]
	if req.After == 0 {
		if u == nil && len(l.open) >= limits.Imports {
			return nil, fault.Limit("imports at a time", limits.Imports, int64(len(l.open)+1))
		}
		u = &upload{by: by, packs: map[string][]byte{}, branches: map[string][][]byte{}}
	}
	if u == nil || u.by != by || u.given != req.After {
		return nil, fault.Field("after", "no import of this encounter stands there; 0 begins anew")
	}
	if err := u.add(req.Messages); err != nil {
		delete(l.open, n)
		return nil, err
	}
	u.touched = now
	if l.open[n] = u; req.Last {
		delete(l.open, n)
	}
	return u, nil
}

func (u *upload) add(messages []*encounterv1.ExportResponse) error {
	for i, m := range messages {
		at := fmt.Sprintf("messages[%d]", i)
		if u.bytes += proto.Size(m); u.bytes > limits.ImportBytes {
			return fault.Limit("bytes of an import", limits.ImportBytes, int64(u.bytes))
		}
		switch {
		case m.GetStep() != nil:
			return fault.Field(at+".step", "is a step as a viewer saw it; the game master's export has Commits")
		case m.Pack != nil:
			if library.Digest(m.Pack.Data) != m.Pack.Digest {
				return fault.Field(at+".pack.digest", "is not that of the data")
			}
			u.packs[m.Pack.Digest] = m.Pack.Data
		case m.BranchPart != nil:
			branch.Take(u.branches, m.BranchPart.Branch, m.BranchPart.Data)
		case len(m.Commit) > 0:
			u.commits = append(u.commits, m.Commit)
		}
		u.given++
	}
	return nil
}

// whole decides the record again. What does not hold or cannot be decided is not
// stored: nobody here could say more of it than that it was given.
func (s *Server) whole(ctx context.Context, n aggregate.Name, u *upload) (*verify.Report, error) {
	if len(u.commits) == 0 {
		return nil, fault.Field("messages", "no Commit was given")
	}
	first, err := event.Open(u.commits[0])
	if err != nil {
		return nil, fault.Field("messages", "version 1: %v", err)
	}
	if first.Header.Table != n.Table || first.Header.Id != n.ID {
		return nil, fault.Field("encounter", "the Commits name encounter %q at table %q", first.Header.Id, first.Header.Table)
	}
	calledOff := func(err error) error {
		return fault.Wrap(fault.Unavailable, "CANCELLED", err, "the import was called off; nothing was stored")
	}
	select {
	case s.Uploads.deciding <- struct{}{}:
		defer func() { <-s.Uploads.deciding }()
	case <-ctx.Done():
		return nil, calledOff(ctx.Err())
	}
	report, err := verify.Commits(ctx, verify.Config{Systems: s.Systems, Packs: u.packs, Branches: u.branches}, u.commits)
	if err != nil {
		return nil, calledOff(err)
	}
	switch {
	case len(report.Problems) > 0:
		return nil, fault.New(fault.Illegal, "NOT_VERIFIED", "the record does not hold in %d places; the first: %s", len(report.Problems), report.Problems[0])
	case len(report.MissingPacks) > 0:
		return nil, fault.New(fault.Illegal, "PACKS_MISSING", "the export lacks the pack %s", report.MissingPacks[0])
	case len(report.Other) > 0:
		o := report.Other[0]
		return nil, fault.New(fault.Illegal, "OTHER_RULES", "version %d was decided by %s %s, which this server does not have: it cannot be decided again", o.First, o.System, o.Version)
	}
	return report, named(u)
}

// named refuses parts of branches that no Commit names: they would be kept for nothing.
func named(u *upload) error {
	parts := map[string]int{}
	for i, data := range u.commits {
		c, err := event.Open(data)
		if err != nil {
			return fault.Field("messages", "version %d: %v", i+1, err)
		}
		for _, e := range c.Events {
			if am := e.GetAmended(); am.GetBranch() != "" {
				parts[am.Branch] = max(parts[am.Branch], int(am.Parts))
			}
		}
	}
	for _, name := range rules.SortedKeys(u.branches) {
		if len(u.branches[name]) != parts[name] {
			return fault.Field("messages.branch_part", "branch %q has %d parts, and Commits name %d of them", name, len(u.branches[name]), parts[name])
		}
	}
	return nil
}
