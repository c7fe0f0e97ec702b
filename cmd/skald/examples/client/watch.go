package main

import (
	"context"
	"fmt"

	"github.com/skaldrpg/skald/pkg/client"
	"github.com/skaldrpg/skald/pkg/render"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// watch tells what a viewer sees until the encounter has ended, and goes on
// from its cursor when the connection was lost.
func (t *table) watch(ctx context.Context, as *eventv1.Principal) error {
	var style render.Style
	return client.Watch(ctx, t.fights, &encounterv1.WatchRequest{As: as, Encounter: t.id}, func(m *encounterv1.WatchResponse) error {
		s := m.GetStep()
		if s == nil { // a heartbeat, the end of the past, or why the watch ends
			return nil
		}
		style.Learn(s.Events)
		if _, err := fmt.Fprint(t.out, style.Step(s)); err != nil {
			return err
		}
		if ended(s) {
			return client.ErrStop
		}
		return nil
	})
}

func ended(s *encounterv1.Step) bool {
	for _, e := range s.Events {
		if e.GetEncounterEnded() != nil {
			return true
		}
	}
	return false
}
