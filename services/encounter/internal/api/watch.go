package api

import (
	"github.com/skaldrpg/skald/pkg/fault"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
)

// watchPage is how many steps a watch reads at a time.
const watchPage = 100

// Watch sends steps after a cursor: the past, a caught-up marker, then what
// happens. Its promises:
//
//   - ordered: steps come in the order of their numbers;
//   - gapless and unique: each number comes once;
//   - resumable: from the cursor of any step, here or on another server;
//   - caught up: the marker comes once, when everything stored at the start was sent;
//   - private: a step holds only what the viewer may see, and nothing is sent
//     for what it may not.
//
// A watch reads at its client's pace and waits on a signal; a slow client holds
// up nobody.
func (s *Server) Watch(req *encounterv1.WatchRequest, stream encounterv1.EncounterService_WatchServer) error {
	ctx := stream.Context()
	f, table, err := s.open(ctx, req.As, req.Table, req.Encounter)
	if err != nil {
		return err
	}
	number, err := decodeCursor("after", req.After, table, req.Encounter, req.As)
	if err != nil {
		return err
	}
	defer f.Hold()()
	for marked := false; ; {
		changed := f.Changed()
		steps, more, err := s.steps(ctx, f, req.As, number, watchPage)
		if err != nil {
			return err
		}
		for _, step := range steps {
			if err := stream.Send(&encounterv1.WatchResponse{What: &encounterv1.WatchResponse_Step{Step: step}}); err != nil {
				return err
			}
			number = step.Number
		}
		if more {
			continue
		}
		if !marked {
			marked = true
			mark := &encounterv1.CaughtUp{Cursor: encodeCursor(table, req.Encounter, req.As, number), Number: number}
			if err := stream.Send(&encounterv1.WatchResponse{What: &encounterv1.WatchResponse_CaughtUp{CaughtUp: mark}}); err != nil {
				return err
			}
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		case <-s.Done:
			return fault.New(fault.Unavailable, "STOPPING", "the server stops; watch again from the last cursor")
		}
	}
}
