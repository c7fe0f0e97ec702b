package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/skaldrpg/skald/pkg/render"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// amend gives the last damage roll its lowest faces, tells what that changes,
// and carries it out when nothing stands in the way.
func (t *table) amend(ctx context.Context) error {
	am, err := t.lastDamage(ctx)
	if am == nil || err != nil {
		return err
	}
	cmd := &eventv1.Command{What: &eventv1.Command_Amend{Amend: am}}
	preview, err := t.fights.PreviewRuling(ctx, &encounterv1.PreviewRulingRequest{As: master, Encounter: t.id, Command: cmd})
	if err != nil {
		return err
	}
	if _, err := fmt.Fprint(t.out, "Had the last damage been the least possible:\n"+render.Preview(preview)); err != nil {
		return err
	}
	if len(preview.Troubles) > 0 {
		return nil
	}
	_, err = t.do(ctx, master, cmd)
	return err
}

// lastDamage is an amendment of the last roll of damage; nil when there is none.
func (t *table) lastDamage(ctx context.Context) (*eventv1.AmendCommand, error) {
	var last *eventv1.AmendCommand
	for after, more := uint64(0), true; more; {
		page, err := t.fights.GetHistory(ctx, &encounterv1.GetHistoryRequest{As: master, Encounter: t.id, After: after})
		if err != nil {
			return nil, err
		}
		for _, s := range page.Steps {
			after = s.Number
			for _, e := range s.Events {
				r := e.GetRoll()
				if !strings.HasSuffix(r.GetLabel(), "damage") {
					continue
				}
				lowest := make([]int32, len(r.Faces))
				for i := range lowest {
					lowest[i] = 1
				}
				last = &eventv1.AmendCommand{Version: s.Number, Reason: "a misread die", TakeDefaults: true,
					Rolls: []*eventv1.FixedRoll{{Label: r.Label, Index: r.Index, Faces: lowest}}}
			}
		}
		more = page.More
	}
	return last, nil
}
