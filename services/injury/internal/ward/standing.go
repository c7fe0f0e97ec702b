package ward

import (
	"context"
	"errors"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/attest"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/projection"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"

	"github.com/skaldrpg/skald/services/injury/internal/record"
)

// seen checks a question about a patient's whole record, fights included.
func (s *Server) seen(ctx context.Context, tableID, patient string, by *eventv1.Principal) (string, error) {
	tableID, err := s.about(ctx, tableID, patient, by)
	if err != nil {
		return "", err
	}
	if err := s.catchUpAll(ctx); err != nil {
		return "", err
	}
	return tableID, s.seenBy(tableID, patient, by)
}

// counted is seen for what counts Commits. A patient's record is never over: they are the
// game master's.
func (s *Server) counted(ctx context.Context, tableID, patient string, by *eventv1.Principal) (string, *record.Patient, error) {
	tableID, err := s.seen(ctx, tableID, patient, by)
	if err != nil {
		return "", nil, err
	}
	if !isGM(by) {
		return "", nil, fault.New(fault.Denied, "NOT_OVER", "Commits are the game master's to count, and a patient's record is never over")
	}
	var p *record.Patient
	err = s.cfg.Store.View(func(tx *projection.Tx) error {
		p, err = record.Get(tx, tableID, patient)
		return err
	})
	return tableID, p, err
}

// ReadStanding says where a patient's record stands.
func (s *Server) ReadStanding(ctx context.Context, req *injuryv1.ReadStandingRequest) (*injuryv1.ReadStandingResponse, error) {
	tableID, err := s.seen(ctx, req.Table, req.Patient, req.As)
	if err != nil {
		return nil, err
	}
	out := &injuryv1.ReadStandingResponse{Own: &injuryv1.Standing{}, Public: &injuryv1.Standing{}}
	err = s.cfg.Store.View(func(tx *projection.Tx) error {
		if out.Own.Number, out.Own.Hash, err = record.Standing(tx, tableID, req.Patient, req.As); err != nil {
			return err
		}
		if out.Public.Number, out.Public.Hash, err = record.Standing(tx, tableID, req.Patient, aggregate.Viewer(aggregate.ViewerEveryone)); err != nil || !isGM(req.As) {
			return err
		}
		p, err := record.Get(tx, tableID, req.Patient)
		if err == nil {
			out.Chain = &injuryv1.Standing{Number: p.Version, Hash: p.Hash}
		}
		return err
	})
	return out, err
}

// ReadSteps returns the steps of a patient's transcript.
func (s *Server) ReadSteps(ctx context.Context, req *injuryv1.ReadStepsRequest) (*injuryv1.ReadStepsResponse, error) {
	tableID, err := s.seen(ctx, req.Table, req.Patient, req.As)
	if err != nil {
		return nil, err
	}
	as := req.As
	if req.Public {
		as = aggregate.Viewer(aggregate.ViewerEveryone)
	}
	out := &injuryv1.ReadStepsResponse{}
	err = s.cfg.Store.View(func(tx *projection.Tx) error {
		out.Steps, out.More, err = steps(tx, tableID, req, as, aggregate.Page(req.Limit))
		return err
	})
	return out, err
}

// digested is a step without its bytes.
func digested(number uint64, data []byte) *encounterv1.TranscriptStep {
	return &encounterv1.TranscriptStep{Number: number, Digest: attest.Digest(data)}
}

// ReadHeaders returns the headers of a patient's Commits.
func (s *Server) ReadHeaders(ctx context.Context, req *injuryv1.ReadHeadersRequest) (*injuryv1.ReadHeadersResponse, error) {
	tableID, p, err := s.counted(ctx, req.Table, req.Patient, req.As)
	if err != nil {
		return nil, err
	}
	if req.After > p.Version {
		return nil, fault.Field("after", "%d is beyond the last version %d", req.After, p.Version)
	}
	out := &injuryv1.ReadHeadersResponse{}
	to := min(p.Version, req.After+uint64(aggregate.Page(req.Limit)))
	if out.More = to < p.Version; to == req.After {
		return out, nil
	}
	var from uint64
	if err := s.cfg.Store.View(func(tx *projection.Tx) error {
		from, err = record.Sequence(tx, tableID, req.Patient, req.After+1)
		return err
	}); err != nil {
		return nil, err
	}
	enough := errors.New("enough")
	_, err = s.log.Read(ctx, p.Name, from-1, func(rec journal.Record) error {
		if uint64(len(out.Headers)) == to-req.After {
			return enough
		}
		c := &eventv1.Commit{}
		if err := proto.Unmarshal(rec.Data, c); err != nil {
			return fault.Wrap(fault.Internal, "RECORD_BROKEN", event.ErrBroken, "a stored Commit can not be read")
		}
		out.Headers = append(out.Headers, c.Header)
		return nil
	})
	if err != nil && !errors.Is(err, enough) {
		return nil, err
	}
	return out, nil
}

// ReadTree returns the tree over the Commits of a table's patients.
func (s *Server) ReadTree(ctx context.Context, req *injuryv1.ReadTreeRequest) (*injuryv1.ReadTreeResponse, error) {
	tableID, err := aggregate.Table(req.Table)
	if err != nil {
		return nil, err
	}
	if err := s.catchUpAll(ctx); err != nil {
		return nil, err
	}
	out := &injuryv1.ReadTreeResponse{}
	return out, s.cfg.Store.View(func(tx *projection.Tx) error {
		size, root, proof, ok, err := record.TreeOf(tx, tableID).Head(0, int64(min(req.Since, 1<<62))) //nolint:gosec // bounded
		if err != nil {
			return err
		}
		if !ok {
			return fault.New(fault.Illegal, "LOG_SHORTER", "the log holds %d Commits, and not the %d that it is to extend", size, req.Since)
		}
		out.Size, out.Root, out.Proof = uint64(size), root[:], attest.Bytes(proof) //nolint:gosec // a count
		return nil
	})
}

// ProveVersion proves that a Commit of a patient lies in that tree.
func (s *Server) ProveVersion(ctx context.Context, req *injuryv1.ProveVersionRequest) (*injuryv1.ProveVersionResponse, error) {
	tableID, p, err := s.counted(ctx, req.Table, req.Patient, req.As)
	if err != nil {
		return nil, err
	}
	if req.Version == 0 || req.Version > p.Version {
		return nil, fault.Field("version", "want 1 to %d, got %d", p.Version, req.Version)
	}
	hash, err := s.hashOf(ctx, p, tableID, req.Version)
	if err != nil {
		return nil, err
	}
	out := &injuryv1.ProveVersionResponse{Leaf: string(record.Leaf(p.Name, req.Version, hash))}
	return out, s.cfg.Store.View(func(tx *projection.Tx) error {
		e, err := record.Entry(tx, tableID, req.Patient, req.Version)
		if err != nil {
			return err
		}
		size, proof, ok, err := record.TreeOf(tx, tableID).Prove(int64(e.Leaf), int64(min(req.Size, 1<<62))) //nolint:gosec // bounded
		if err != nil {
			return err
		}
		if !ok {
			return fault.New(fault.Illegal, "NOT_IN_CHECKPOINT", "version %d of patient %q is not in a checkpoint of %d Commits", req.Version, req.Patient, req.Size)
		}
		out.Index, out.Size, out.Proof = e.Leaf, uint64(size), attest.Bytes(proof) //nolint:gosec // counts
		return nil
	})
}

// hashOf is the hash of a stored Commit.
func (s *Server) hashOf(ctx context.Context, p *record.Patient, tableID string, version uint64) ([]byte, error) {
	if version == p.Version {
		return p.Hash, nil
	}
	// The Commit behind it names it.
	next, err := s.ReadHeaders(ctx, &injuryv1.ReadHeadersRequest{As: gameMaster, Table: tableID, Patient: p.ID, After: version, Limit: 1})
	if err != nil {
		return nil, err
	}
	h := &eventv1.CommitHeader{}
	if len(next.Headers) != 1 || proto.Unmarshal(next.Headers[0], h) != nil {
		return nil, fault.New(fault.Internal, "RECORD_BROKEN", "version %d of patient %q has no header", version+1, p.ID)
	}
	return h.PreviousHash, nil
}
