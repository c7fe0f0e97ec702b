package api

import (
	"context"
	"slices"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/attest"
	"github.com/skaldrpg/skald/pkg/event"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"github.com/skaldrpg/skald/services/encounter/internal/engine"
	"github.com/skaldrpg/skald/services/encounter/internal/replica"
)

// exportPage is how many Commits are read at a time for an export.
const exportPage = 200

// over tells whether the encounter is over.
func over(f *engine.Fight) (is bool) {
	f.Read(func(r *replica.Replica) { is = r.State().Status == eventv1.State_STATUS_ENDED })
	return is
}

// exportSteps streams what the caller saw so far: while the fight goes on, even
// the digests of hidden Commits would count them.
func (s *Server) exportSteps(ctx context.Context, f *engine.Fight, as *eventv1.Principal, stream encounterv1.EncounterService_ExportServer) error {
	for after := uint64(0); ; {
		steps, more, err := s.stepsEach(ctx, f, as, after, exportPage, s.withBytes(ctx, f, as))
		if err != nil {
			return err
		}
		for i, step := range steps {
			out := &encounterv1.ExportResponse{Step: step}
			if !more && i == len(steps)-1 {
				if out.Heads, err = s.exportHead(f, aggregate.ViewerOf(as), step.Number, step.Transcript); err != nil {
					return err
				}
			}
			if err := stream.Send(out); err != nil {
				return err
			}
			after = step.Number
		}
		if !more {
			return nil
		}
	}
}

// exportHead signs where an export ends, for its last message.
func (s *Server) exportHead(f *engine.Fight, viewer string, number uint64, hash []byte) (*encounterv1.SignedHeads, error) {
	if s.Keys == nil {
		return nil, nil
	}
	table, id := f.Name()
	signed, err := s.Keys.Sign(attest.Head{Table: table, Encounter: id, Viewer: viewer, Number: number, Hash: hash}.Text())
	if err != nil {
		return nil, err
	}
	if viewer == attest.Chain {
		return &encounterv1.SignedHeads{Chain: signed}, nil
	}
	return &encounterv1.SignedHeads{Own: signed}, nil
}

// exportPacks streams the packs that the encounter pinned, so that who has the
// export has all that it was decided by.
func (s *Server) exportPacks(ctx context.Context, table string, digests []string, stream encounterv1.EncounterService_ExportServer) error {
	for _, d := range digests {
		rec, err := s.Engine.Pack(ctx, table, d)
		if err != nil {
			return err
		}
		if err := stream.Send(&encounterv1.ExportResponse{Pack: &encounterv1.ExportedPack{Digest: d, Data: rec.Pack}}); err != nil {
			return err
		}
	}
	return nil
}

// exportParts streams the parts of branches that Commits name.
func (s *Server) exportParts(ctx context.Context, table, id string, from, to uint64, stream encounterv1.EncounterService_ExportServer) error {
	parts, err := s.Archive.Parts(ctx, table, id, from, to)
	if err != nil {
		return err
	}
	for _, p := range parts {
		if err := stream.Send(&encounterv1.ExportResponse{BranchPart: p}); err != nil {
			return err
		}
	}
	return nil
}

// Export streams the stored Commits; parts that the caller may not see are
// withheld and only their digests remain. While the encounter is not over,
// anybody but the game master gets the steps that it saw instead.
func (s *Server) Export(req *encounterv1.ExportRequest, stream encounterv1.EncounterService_ExportServer) error {
	ctx := stream.Context()
	f, table, release, err := s.open(ctx, req.As, req.Table, req.Encounter)
	if err != nil {
		return err
	}
	defer release()
	if req.As.Role != eventv1.Principal_ROLE_GM && !over(f) {
		return s.exportSteps(ctx, f, req.As, stream)
	}
	var last uint64
	var hash []byte
	var packs []string
	f.Read(func(r *replica.Replica) { last, hash, packs = r.Version, r.Hash, slices.Clone(r.State().Packs) })
	if req.As.Role != eventv1.Principal_ROLE_SPECTATOR { // who does not read the table's packs
		if err := s.exportPacks(ctx, table, packs, stream); err != nil {
			return err
		}
	}
	for from := uint64(1); from <= last; from += exportPage {
		to := min(last, from+exportPage-1)
		raw, err := s.Archive.Raw(ctx, table, req.Encounter, from, to)
		if err != nil {
			return err
		}
		entries, err := s.Archive.Entries(ctx, table, req.Encounter, from, to)
		if err != nil {
			return err
		}
		if req.As.Role == eventv1.Principal_ROLE_GM { // an amendment is the game master's alone to read
			if err := s.exportParts(ctx, table, req.Encounter, from, to, stream); err != nil {
				return err
			}
		}
		for i, data := range raw {
			if req.As.Role != eventv1.Principal_ROLE_GM {
				e := entries[i]
				data, err = event.Redact(data, func(part int) bool { return part >= 2 && e.Heard[part-2].By(req.As) })
				if err != nil {
					return err
				}
			}
			out := &encounterv1.ExportResponse{Commit: data}
			if from+uint64(i) == last {
				if out.Heads, err = s.exportHead(f, attest.Chain, last, hash); err != nil {
					return err
				}
			}
			if err := stream.Send(out); err != nil {
				return err
			}
		}
	}
	return nil
}
