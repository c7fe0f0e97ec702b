package api

import (
	"context"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/attest"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rpc"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
)

// The injury service knows where the records of patients stand; the keys that sign it are
// here.

// ofPatient tells whether a question is about a patient's record.
func ofPatient(req interface {
	GetEncounter() string
	GetPatient() string
}) (bool, error) {
	if req.GetPatient() != "" && req.GetEncounter() != "" {
		return false, fault.Field("patient", "a question is about an encounter or about a patient")
	}
	return req.GetPatient() != "", nil
}

// with calls a function unless something is wrong already.
func with[Req, Res any](err error, fn func(context.Context, Req) (*Res, error), ctx context.Context, req Req) (*Res, error) { //nolint:revive // the context goes to the function
	if err != nil {
		return nil, err
	}
	return fn(ctx, req)
}

// patientHead signs where a patient's record stands.
func (r *Record) patientHead(ctx context.Context, req *encounterv1.GetHeadRequest) (*encounterv1.GetHeadResponse, error) {
	table := aggregate.TableOr(req.Table)
	at, err := r.Patients.ReadStanding(ctx, &injuryv1.ReadStandingRequest{As: req.As, Table: table, Patient: req.Patient})
	if err != nil {
		return nil, rpc.FromStatus(err)
	}
	of := func(viewer string, s *injuryv1.Standing) attest.Head {
		return attest.Head{Table: table, Patient: req.Patient, Viewer: viewer, Number: s.GetNumber(), Hash: s.GetHash()}
	}
	heads, err := r.Server.signed(of(aggregate.ViewerOf(req.As), at.Own), of(aggregate.ViewerEveryone, at.Public), of(attest.Chain, at.Chain), at.Chain != nil)
	if err != nil {
		return nil, err
	}
	return &encounterv1.GetHeadResponse{Heads: heads, Public: public{known: true, number: at.Public.GetNumber(), transcript: at.Public.GetHash()}.mark()}, nil
}

// patientTranscript returns the digests of the caller's entries, and works the transcript
// out from the first of them on.
func (r *Record) patientTranscript(ctx context.Context, req *encounterv1.GetTranscriptRequest) (*encounterv1.GetTranscriptResponse, error) {
	resp, err := r.Patients.ReadSteps(ctx, &injuryv1.ReadStepsRequest{As: req.As, Table: aggregate.TableOr(req.Table), Patient: req.Patient,
		After: req.After, Limit: req.Limit, WithBytes: req.WithBytes, Public: req.Public, AfterBytes: req.AfterBytes})
	if err != nil {
		return nil, rpc.FromStatus(err)
	}
	return &encounterv1.GetTranscriptResponse{Steps: resp.Steps, More: resp.More}, nil
}

// patientHeaders returns headers of a patient's Commits.
func (r *Record) patientHeaders(ctx context.Context, req *encounterv1.GetHeadersRequest) (*encounterv1.GetHeadersResponse, error) {
	resp, err := r.Patients.ReadHeaders(ctx, &injuryv1.ReadHeadersRequest{As: req.As, Table: aggregate.TableOr(req.Table), Patient: req.Patient,
		After: req.After, Limit: req.Limit})
	if err != nil {
		return nil, rpc.FromStatus(err)
	}
	return &encounterv1.GetHeadersResponse{Headers: resp.Headers, More: resp.More}, nil
}

// patientsCheckpoint signs the tree over the patients of a table.
func (r *Record) patientsCheckpoint(ctx context.Context, req *encounterv1.GetCheckpointRequest) (*encounterv1.GetCheckpointResponse, error) {
	table := aggregate.TableOr(req.Table)
	tree, err := r.Patients.ReadTree(ctx, &injuryv1.ReadTreeRequest{Table: table, Since: req.Since})
	if err != nil {
		return nil, rpc.FromStatus(err)
	}
	name, err := r.Server.Keys.Name()
	if err != nil {
		return nil, err
	}
	c := attest.Checkpoint{Log: attest.PatientsLogName(name, r.Stream, table), Size: int64(tree.Size)} //nolint:gosec // a count
	if len(tree.Root) != tlog.HashSize {
		return nil, fault.New(fault.Internal, "TREE", "the tree of the patients has a hash of %d bytes", len(tree.Root))
	}
	copy(c.Root[:], tree.Root)
	return r.checkpoint(c, tree.Proof)
}

// patientProof proves that a Commit of a patient is in a checkpoint.
func (r *Record) patientProof(ctx context.Context, req *encounterv1.ProveHeadRequest) (*encounterv1.ProveHeadResponse, error) {
	resp, err := r.Patients.ProveVersion(ctx, &injuryv1.ProveVersionRequest{As: req.As, Table: aggregate.TableOr(req.Table), Patient: req.Patient,
		Version: req.Version, Size: req.Size})
	if err != nil {
		return nil, rpc.FromStatus(err)
	}
	return &encounterv1.ProveHeadResponse{Index: resp.Index, Size: resp.Size, Leaf: resp.Leaf, Proof: resp.Proof}, nil
}
