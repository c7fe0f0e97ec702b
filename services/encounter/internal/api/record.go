package api

import (
	"context"

	"google.golang.org/protobuf/proto"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/attest"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/text"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
	"github.com/skaldrpg/skald/services/encounter/internal/engine"
	"github.com/skaldrpg/skald/services/encounter/internal/replica"
)

// Tree is the tree over every Commit of the stream.
type Tree interface {
	// Tree is its hash at a size, 0 for all that is stored, and the proof that it
	// extends itself at an earlier size, unless that is 0; ok is false when it was
	// never of such a size.
	Tree(size, since int64) (at int64, root tlog.Hash, proof []tlog.Hash, ok bool, err error)
	// Inclusion proves that a Commit lies in it at a size, 0 for all that is stored;
	// ok is false when it does not.
	Inclusion(ctx context.Context, table, encounter string, version uint64, size int64) (index, at int64, proof []tlog.Hash, ok bool, err error)
}

// Record answers the calls about what the server is held to.
type Record struct {
	encounterv1.UnimplementedRecordServiceServer
	// Server knows the encounters.
	Server *Server
	// Tree over the stream.
	Tree Tree
	// Stream is its number.
	Stream int
	// Patients knows where the records of patients stand.
	Patients injuryv1.AssessmentServiceClient
}

// counts tells whether a caller may count Commits: the game master, and everybody
// when the encounter is over.
func counts(f *engine.Fight, as *eventv1.Principal) bool {
	return as.GetRole() == eventv1.Principal_ROLE_GM || over(f)
}

func mayCount(f *engine.Fight, as *eventv1.Principal) error {
	if !counts(f, as) {
		return fault.New(fault.Denied, "NOT_OVER", "Commits are the game master's to count until the encounter is over")
	}
	return nil
}

// heads signs where an encounter stands, as far as the caller may know.
func (s *Server) heads(f *engine.Fight, as *eventv1.Principal) (*encounterv1.SignedHeads, error) {
	table, id := f.Name()
	var own, public, chain attest.Head
	f.Read(func(r *replica.Replica) {
		of := func(key string) attest.Head {
			v := r.Views[key]
			h := attest.Head{Table: table, Encounter: id, Viewer: key, Number: uint64(len(v.Versions)), Hash: v.Transcript}
			if h.Number == 0 {
				h.Hash = attest.Begin(table, id)
			}
			return h
		}
		own, public = of(r.Key(as)), of(aggregate.ViewerEveryone)
		chain = attest.Head{Table: table, Encounter: id, Viewer: attest.Chain, Number: r.Version, Hash: r.Hash}
	})
	own.Viewer = aggregate.ViewerOf(as) // also for whom everybody's view is the own
	return s.signed(own, public, chain, counts(f, as))
}

// signed signs heads; that of the chain where the caller may count Commits.
func (s *Server) signed(own, public, chain attest.Head, mayCount bool) (*encounterv1.SignedHeads, error) {
	out := &encounterv1.SignedHeads{}
	for _, h := range []struct {
		head attest.Head
		into *string
		may  bool
	}{{own, &out.Own, true}, {public, &out.Public, true}, {chain, &out.Chain, mayCount}} {
		if !h.may {
			continue
		}
		signed, err := s.Keys.Sign(h.head.Text())
		if err != nil {
			return nil, err
		}
		*h.into = signed
	}
	return out, nil
}

// GetHead signs where an encounter stands.
func (r *Record) GetHead(ctx context.Context, req *encounterv1.GetHeadRequest) (*encounterv1.GetHeadResponse, error) {
	if of, err := ofPatient(req); of || err != nil {
		return with(err, r.patientHead, ctx, req)
	}
	f, _, release, err := r.Server.open(ctx, req.As, req.Table, req.Encounter)
	if err != nil {
		return nil, err
	}
	defer release()
	heads, err := r.Server.heads(f, req.As)
	if err != nil {
		return nil, err
	}
	return &encounterv1.GetHeadResponse{Heads: heads, Public: publicMark(f)}, nil
}

// GetTranscript returns the digests of the caller's steps.
func (r *Record) GetTranscript(ctx context.Context, req *encounterv1.GetTranscriptRequest) (*encounterv1.GetTranscriptResponse, error) {
	if of, err := ofPatient(req); of || err != nil {
		return with(err, r.patientTranscript, ctx, req)
	}
	if req.AfterBytes > 0 {
		return nil, fault.Field("after_bytes", "a step of an encounter comes whole")
	}
	f, _, release, err := r.Server.open(ctx, req.As, req.Table, req.Encounter)
	if err != nil {
		return nil, err
	}
	defer release()
	as := req.As
	if req.Public {
		as = aggregate.Viewer(aggregate.ViewerEveryone)
	}
	out := &encounterv1.GetTranscriptResponse{}
	collect := func(e *engine.Entry, step *encounterv1.Step) error {
		data, err := r.Server.stepBytes(ctx, f, e, as)
		if err != nil {
			return err
		}
		one := &encounterv1.TranscriptStep{Number: step.Number, Digest: attest.Digest(data), Transcript: step.Transcript}
		if req.WithBytes {
			one.Bytes = data
		}
		out.Steps = append(out.Steps, one)
		return nil
	}
	_, out.More, err = r.Server.stepsEach(ctx, f, as, req.After, aggregate.Page(req.Limit), collect)
	if err != nil {
		return nil, err
	}
	return out, nil
}

// GetHeaders returns headers of Commits.
func (r *Record) GetHeaders(ctx context.Context, req *encounterv1.GetHeadersRequest) (*encounterv1.GetHeadersResponse, error) {
	if of, err := ofPatient(req); of || err != nil {
		return with(err, r.patientHeaders, ctx, req)
	}
	f, table, release, err := r.Server.open(ctx, req.As, req.Table, req.Encounter)
	if err != nil {
		return nil, err
	}
	defer release()
	if err := mayCount(f, req.As); err != nil {
		return nil, err
	}
	var last uint64
	f.Read(func(r *replica.Replica) { last = r.Version })
	if req.After > last {
		return nil, fault.Field("after", "%d is beyond the last version %d", req.After, last)
	}
	out := &encounterv1.GetHeadersResponse{}
	to := min(last, req.After+uint64(aggregate.Page(req.Limit)))
	if out.More = to < last; to == req.After {
		return out, nil
	}
	raw, err := r.Server.Archive.Raw(ctx, table, req.Encounter, req.After+1, to)
	if err != nil {
		return nil, err
	}
	for _, data := range raw {
		c := &eventv1.Commit{}
		if err := proto.Unmarshal(data, c); err != nil {
			return nil, fault.Wrap(fault.Internal, "RECORD_BROKEN", event.ErrBroken, "a stored Commit can not be read")
		}
		out.Headers = append(out.Headers, c.Header)
	}
	return out, nil
}

// GetKeys lists the public keys.
func (r *Record) GetKeys(context.Context, *encounterv1.GetKeysRequest) (*encounterv1.GetKeysResponse, error) {
	keys, err := r.Server.Keys.Public()
	if err != nil {
		return nil, err
	}
	out := &encounterv1.GetKeysResponse{}
	for _, k := range keys {
		out.Keys = append(out.Keys, &encounterv1.PublicKey{Verifier: k.Verifier, Current: k.Current, Endorsement: k.Endorsement})
	}
	return out, nil
}

// GetCheckpoint signs the tree over the stream, or that over the patients of the table.
func (r *Record) GetCheckpoint(ctx context.Context, req *encounterv1.GetCheckpointRequest) (*encounterv1.GetCheckpointResponse, error) {
	if req.Patients {
		return r.patientsCheckpoint(ctx, req)
	}
	size, root, proof, ok, err := r.Tree.Tree(0, int64(min(req.Since, 1<<62))) //nolint:gosec // bounded
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, fault.New(fault.Illegal, "LOG_SHORTER", "the log holds %d Commits, and not the %d that it is to extend", size, req.Since)
	}
	name, err := r.Server.Keys.Name()
	if err != nil {
		return nil, err
	}
	return r.checkpoint(attest.Checkpoint{Log: attest.LogName(name, r.Stream), Size: size, Root: root}, attest.Bytes(proof))
}

func (r *Record) checkpoint(c attest.Checkpoint, proof [][]byte) (*encounterv1.GetCheckpointResponse, error) {
	signed, err := r.Server.Keys.Sign(c.Text())
	if err != nil {
		return nil, err
	}
	return &encounterv1.GetCheckpointResponse{Checkpoint: signed, Proof: proof}, nil
}

// ProveHead proves that a Commit is in a checkpoint.
func (r *Record) ProveHead(ctx context.Context, req *encounterv1.ProveHeadRequest) (*encounterv1.ProveHeadResponse, error) {
	if of, err := ofPatient(req); of || err != nil {
		return with(err, r.patientProof, ctx, req)
	}
	f, table, release, err := r.Server.open(ctx, req.As, req.Table, req.Encounter)
	if err != nil {
		return nil, err
	}
	defer release()
	if err := mayCount(f, req.As); err != nil {
		return nil, err
	}
	var last uint64
	f.Read(func(r *replica.Replica) { last = r.Version })
	if req.Version == 0 || req.Version > last {
		return nil, fault.Field("version", "want 1 to %d, got %d", last, req.Version)
	}
	entries, err := r.Server.entries(ctx, f, req.Version, req.Version)
	if err != nil {
		return nil, err
	}
	index, size, proof, ok, err := r.Tree.Inclusion(ctx, table, req.Encounter, req.Version, int64(min(req.Size, 1<<62))) //nolint:gosec // bounded
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, fault.New(fault.Illegal, "NOT_IN_CHECKPOINT", "version %d of %s is not in a checkpoint of %d Commits", req.Version, text.Escape(req.Encounter), req.Size)
	}
	return &encounterv1.ProveHeadResponse{Index: uint64(index), Size: uint64(size), Proof: attest.Bytes(proof), //nolint:gosec // counts
		Leaf: string(attest.Leaf(attest.Head{Table: table, Encounter: req.Encounter, Number: req.Version, Hash: entries[0].Commit.Hash}))}, nil
}
