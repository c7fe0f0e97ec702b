package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"
	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/render"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// replayed is what a replay came to, for --json.
type replayed struct {
	Encounter string `json:"encounter"`
	Number    uint64 `json:"number"`
	Steps     int    `json:"steps"`
	Events    int    `json:"events"`
	Compared  bool   `json:"compared"`
	Equal     bool   `json:"equal"`
}

func (a *app) replayCommand() *cobra.Command {
	var to uint64
	var check, quiet bool
	c := a.reading("replay ENCOUNTER", "Fold an encounter again from its events, to any step",
		`  skald replay bridge --to 12
  skald replay bridge --check`,
		cobra.ExactArgs(1), func(ctx context.Context, client encounterv1.EncounterServiceClient, as *eventv1.Principal, args []string) error {
			r := &replay{app: a, client: client, as: as, encounter: args[0], state: event.NewState(), style: render.Style{Rules: a.rules, Persons: a.persons(ctx, as)}}
			return r.run(ctx, to, check, quiet)
		})
	c.Long = `Replay reads what happened, step by step, folds the events on this side, and
prints the fight and the state it leads to. With --check the state is compared
with the one that the server answers for the same step; a difference is an
error. What you may not see takes no part in it.`
	c.Flags().Uint64Var(&to, "to", 0, "number of the last step; 0 means all")
	c.Flags().BoolVar(&check, "check", false, "compare with the server's state at that step")
	c.Flags().BoolVar(&quiet, "quiet", false, "print the state only, not the fight")
	return c
}

// replay folds a viewer's events.
type replay struct {
	app       *app
	client    encounterv1.EncounterServiceClient
	as        *eventv1.Principal
	encounter string
	state     *eventv1.State
	style     render.Style
	done      replayed
}

func (r *replay) run(ctx context.Context, to uint64, check, quiet bool) error {
	r.done.Encounter = r.encounter
	if err := r.read(ctx, to, quiet || r.app.json); err != nil {
		return err
	}
	if check {
		if err := r.compare(ctx); err != nil {
			return err
		}
	}
	err := r.app.answerValue(r.done, func() string {
		text := render.State(r.state)
		if check && r.done.Equal {
			text += fmt.Sprintf("step %d: the state folded from %d events equals the server's\n", r.done.Number, r.done.Events)
		}
		return text
	})
	if err == nil && check && !r.done.Equal {
		return &failedError{fmt.Sprintf("step %d: the state folded from the events is not the server's", r.done.Number)}
	}
	return err
}

func (r *replay) read(ctx context.Context, to uint64, quiet bool) error {
	for to == 0 || r.done.Number < to {
		limit := uint32(100)
		if left := to - r.done.Number; to > 0 && left < 100 {
			limit = uint32(left)
		}
		call, cancel := r.app.call(ctx)
		page, err := r.client.GetHistory(call, &encounterv1.GetHistoryRequest{As: r.as, Table: r.app.table,
			Encounter: r.encounter, After: r.done.Number, Limit: limit})
		cancel()
		if err != nil {
			return err
		}
		for _, s := range page.Steps {
			r.style.Learn(s.Events)
			if !quiet {
				if err := r.app.printf("%s", r.style.Step(s)); err != nil {
					return err
				}
			}
			event.FoldAll(r.state, s.Events)
			if s.Restored != nil {
				r.state = event.Clone(s.Restored) // a ruling: events alone do not lead there
			}
			r.done.Number = s.Number
			r.done.Steps++
			r.done.Events += len(s.Events)
		}
		if !page.More || len(page.Steps) == 0 {
			break
		}
	}
	if to > r.done.Number {
		return usage("--to %d: the last step is %d", to, r.done.Number)
	}
	return nil
}

// compare asks the server for the state at the same step.
func (r *replay) compare(ctx context.Context) error {
	ctx, cancel := r.app.call(ctx)
	defer cancel()
	resp, err := r.client.GetState(ctx, &encounterv1.GetStateRequest{As: r.as, Table: r.app.table, Encounter: r.encounter, At: r.done.Number})
	if err != nil {
		return err
	}
	r.done.Compared, r.done.Equal = true, proto.Equal(resp.State, r.state)
	return nil
}
