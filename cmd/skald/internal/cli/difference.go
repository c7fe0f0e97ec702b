package cli

import (
	"context"
	"maps"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/skaldrpg/skald/pkg/render"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// place reads where in the record: a step, STEP.N for a place inside the amended
// history of a ruling's step, or now.
func place(what, text string) (*encounterv1.Place, error) {
	out := &encounterv1.Place{}
	if text == "now" {
		return out, nil
	}
	step, inside, within := strings.Cut(text, ".")
	n, err := strconv.ParseUint(step, 10, 64)
	if err != nil || n == 0 {
		return nil, usage("%s: want a step's number, STEP.N inside a ruling's step, or now, got %q", what, text)
	}
	if !within {
		out.Number = n
		return out, nil
	}
	out.Within = n
	if out.Number, err = strconv.ParseUint(inside, 10, 64); err != nil || out.Number == 0 {
		return nil, usage("%s: want STEP.N, both from 1, got %q", what, text)
	}
	return out, nil
}

func (a *app) diffCommand() *cobra.Command {
	c := a.reading("diff ENCOUNTER STEP [STEP]", "List where the state differs: by one step, or between two",
		"  skald encounter diff bridge 14\n  skald encounter diff bridge 9 now\n  skald encounter diff bridge 13 14.2 --as player:kim", cobra.RangeArgs(2, 3),
		func(ctx context.Context, client encounterv1.EncounterServiceClient, as *eventv1.Principal, args []string) error {
			req := &encounterv1.GetDifferenceRequest{As: as, Table: a.table, Encounter: args[0]}
			from, err := place("STEP", args[1])
			switch {
			case err != nil:
				return err
			case len(args) == 3:
				req.From = from
				if req.To, err = place("STEP", args[2]); err != nil {
					return err
				}
			case from.Number == 0 || from.Within > 0:
				return usage("STEP: want the number of one step, or two places, got %q", args[1])
			default:
				req.Of = from.Number
			}
			return a.differences(ctx, client, req)
		})
	c.Long = `Diff lists where what you may know differs: by what one step did, a ruling for
example, or between two places of the record. A place is a step's number, STEP.N
for a place inside the amended history of a ruling (history --within lists them),
or now. The difference that a ruling would make: amend --dry-run.`
	return c
}

// differences prints every page of a difference.
func (a *app) differences(ctx context.Context, client encounterv1.EncounterServiceClient, req *encounterv1.GetDifferenceRequest) error {
	all := &encounterv1.GetDifferenceResponse{Names: map[string]string{}}
	for {
		call, cancel := a.call(ctx)
		resp, err := client.GetDifference(call, req)
		cancel()
		if err != nil {
			return err
		}
		all.Changes = append(all.Changes, resp.Changes...)
		maps.Copy(all.Names, resp.Names)
		if !resp.More || len(resp.Changes) == 0 {
			break
		}
		req.After = resp.Changes[len(resp.Changes)-1].Path
	}
	return a.answer(all, func() string { return render.Style{Names: all.Names}.Differences(all.Changes) })
}
