package main

import (
	"context"
	"fmt"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/skaldrpg/skald/pkg/render"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// watch tells what a viewer sees until the encounter has ended, and goes on
// from its cursor when the connection was lost.
func (t *table) watch(ctx context.Context, as *eventv1.Principal) error {
	cursor, style := "", render.Style{}
	for {
		stream, err := t.fights.Watch(ctx, &encounterv1.WatchRequest{As: as, Encounter: t.id, After: cursor})
		for err == nil {
			var m *encounterv1.WatchResponse
			if m, err = stream.Recv(); err != nil || m.GetStep() == nil {
				continue
			}
			s := m.GetStep()
			cursor = s.Cursor
			style.Learn(s.Events)
			if _, err = fmt.Fprint(t.out, style.Step(s)); err == nil && ended(s) {
				return nil
			}
		}
		if status.Code(err) != codes.Unavailable {
			return err
		}
	}
}

func ended(s *encounterv1.Step) bool {
	for _, e := range s.Events {
		if e.GetEncounterEnded() != nil {
			return true
		}
	}
	return false
}
