package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"google.golang.org/grpc"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/render"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// reading makes a cobra command that asks the encounter service something.
func (a *app) reading(use, short, example string, args cobra.PositionalArgs,
	fn func(ctx context.Context, client encounterv1.EncounterServiceClient, as *eventv1.Principal, args []string) error) *cobra.Command {
	return &cobra.Command{Use: use, Short: short, Example: example, Args: args,
		RunE: func(cmd *cobra.Command, args []string) error {
			as, err := a.principal()
			if err != nil {
				return err
			}
			return a.connected(cmd.Context(), needServer, func(ctx context.Context, conn grpc.ClientConnInterface) error {
				return fn(ctx, encounterv1.NewEncounterServiceClient(conn), as, args)
			})
		}}
}

func (a *app) stateCommand() *cobra.Command {
	var at string
	c := a.reading("state ENCOUNTER", "Show what you may know of an encounter",
		"  skald encounter state bridge --as player:kim\n  skald encounter state bridge --at 12\n  skald encounter state bridge --at 14.2",
		cobra.ExactArgs(1), func(ctx context.Context, client encounterv1.EncounterServiceClient, as *eventv1.Principal, args []string) error {
			then, err := place("--at", at)
			if err != nil {
				return err
			}
			ctx, cancel := a.call(ctx)
			defer cancel()
			resp, err := client.GetState(ctx, &encounterv1.GetStateRequest{As: as, Table: a.table, Encounter: args[0], At: then.Number, Within: then.Within})
			if err != nil {
				return err
			}
			return a.answer(resp, func() string { return render.State(resp.State) })
		})
	c.Flags().StringVar(&at, "at", "now", "the step to show the state after, or STEP.N inside the amended history of a ruling's step")
	return c
}

func (a *app) optionsCommand() *cobra.Command {
	req := &encounterv1.GetOptionsRequest{}
	c := a.reading("options ENCOUNTER [CREATURE]", "List what a creature may do, and why not the rest", "  skald encounter options bridge jeera\n  skald encounter options bridge jeera --legal --group attack",
		cobra.RangeArgs(1, 2), func(ctx context.Context, client encounterv1.EncounterServiceClient, as *eventv1.Principal, args []string) error {
			req.As, req.Table, req.Encounter = as, a.table, args[0]
			if len(args) == 2 {
				req.Creature = args[1]
			}
			ctx, cancel := a.call(ctx)
			defer cancel()
			resp, err := client.GetOptions(ctx, req)
			if err != nil {
				return err
			}
			style, err := a.style(ctx, client, args[0])
			if err != nil {
				return err
			}
			return a.answer(resp, func() string { return style.Options(resp.Options) })
		})
	c.Flags().BoolVar(&req.LegalOnly, "legal", false, "list only what may be done now")
	c.Flags().StringSliceVar(&req.Actions, "action", nil, "list only this action; may be given again")
	c.Flags().StringSliceVar(&req.Groups, "group", nil, "list only this group, such as attack or move; may be given again")
	return c
}

func (a *app) nextCommand() *cobra.Command {
	return a.reading("next ENCOUNTER", "Say what is waited for, from whom, since when, and what happens by default; * marks what is yours",
		"  skald encounter next bridge --as player:kim",
		cobra.ExactArgs(1), func(ctx context.Context, client encounterv1.EncounterServiceClient, as *eventv1.Principal, args []string) error {
			ctx, cancel := a.call(ctx)
			defer cancel()
			resp, err := client.GetNext(ctx, &encounterv1.GetNextRequest{As: as, Table: a.table, Encounter: args[0]})
			if err != nil {
				return err
			}
			style, err := a.style(ctx, client, args[0])
			if err != nil {
				return err
			}
			return a.answer(resp, func() string { return style.Next(resp, time.Now()) })
		})
}

func (a *app) decisionsCommand() *cobra.Command {
	return a.reading("decisions ENCOUNTER", "List the open decisions that you may know of", "  skald encounter decisions bridge --as player:kim",
		cobra.ExactArgs(1), func(ctx context.Context, client encounterv1.EncounterServiceClient, as *eventv1.Principal, args []string) error {
			ctx, cancel := a.call(ctx)
			defer cancel()
			open, err := a.openDecisions(ctx, client, as, args[0])
			if err != nil {
				return err
			}
			if a.json {
				for _, d := range open {
					line, err := jsonLine(d)
					if err != nil {
						return err
					}
					if _, err := a.out.Write(line); err != nil {
						return err
					}
				}
				return nil
			}
			style, err := a.style(ctx, client, args[0])
			if err != nil {
				return err
			}
			return a.printf("%s", style.Decisions(open))
		})
}

// openDecisions are those that the caller may know of, in the order of next.
func (a *app) openDecisions(ctx context.Context, client encounterv1.EncounterServiceClient, as *eventv1.Principal, encounter string) ([]*eventv1.Decision, error) {
	resp, err := client.GetNext(ctx, &encounterv1.GetNextRequest{As: as, Table: a.table, Encounter: encounter})
	if err != nil {
		return nil, err
	}
	var out []*eventv1.Decision
	for _, w := range resp.Waiting {
		if w.Decision != nil {
			out = append(out, w.Decision)
		}
	}
	return out, nil
}

func (a *app) historyCommand() *cobra.Command {
	var after, within uint64
	var limit uint32
	var all bool
	c := a.reading("history ENCOUNTER", "Show what happened, in your own numbers",
		"  skald encounter history bridge --after 10 --rule-ids\n  skald encounter history bridge --within 14",
		cobra.ExactArgs(1), func(ctx context.Context, client encounterv1.EncounterServiceClient, as *eventv1.Principal, args []string) error {
			style := render.Style{Persons: a.persons(ctx, as)}
			if after > 0 || within > 0 { // the steps do not say who came before them
				var err error
				if style, err = a.style(ctx, client, args[0]); err != nil {
					return err
				}
			}
			style.Rules, style.Bookkeeping, style.Labels = a.rules, all, all
			left := limit
			for {
				page := uint32(100)
				if limit > 0 {
					page = min(page, left)
				}
				call, cancel := a.call(ctx)
				resp, err := client.GetHistory(call, &encounterv1.GetHistoryRequest{As: as, Table: a.table, Encounter: args[0], After: after, Limit: page, Within: within})
				cancel()
				if err != nil {
					return err
				}
				for _, s := range resp.Steps {
					style.Learn(s.Events)
					after = s.Number
					if err := a.answer(s, func() string { return style.Step(s) }); err != nil {
						return err
					}
				}
				left -= uint32(len(resp.Steps))
				if !resp.More || len(resp.Steps) == 0 || limit > 0 && left == 0 {
					return nil
				}
			}
		})
	c.Flags().Uint64Var(&after, "after", 0, "only steps after this number")
	c.Flags().Uint64Var(&within, "within", 0, "the steps of the amended history of this step, a ruling: from the first that came out otherwise on")
	c.Flags().Uint32Var(&limit, "limit", 0, "at most so many steps; 0 means all")
	c.Flags().BoolVar(&all, "all", false, "show bookkeeping events too (counters, marks, sheets, ...) and the labels of rolls")
	return c
}

func (a *app) explainCommand() *cobra.Command {
	before := false
	c := a.reading("explain ENCOUNTER STEP [EVENT]", "Say why an event came out as it did, line by line",
		"  skald encounter explain bridge 12\n  skald encounter explain bridge 12 3\n  skald encounter explain bridge 14.2 1 --before", cobra.RangeArgs(2, 3),
		func(ctx context.Context, client encounterv1.EncounterServiceClient, as *eventv1.Principal, args []string) error {
			at, err := place("STEP", args[1])
			if err != nil {
				return err
			}
			if at.Number == 0 {
				return usage("STEP: want a step's number, got %q", args[1])
			}
			if len(args) == 2 {
				return a.numbered(ctx, client, as, args[0], at, before)
			}
			index, err := strconv.ParseUint(args[2], 10, 32)
			if err != nil {
				return usage("EVENT: want the number of an event in the step, got %q", args[2])
			}
			ctx, cancel := a.call(ctx)
			defer cancel()
			resp, err := client.Explain(ctx, &encounterv1.ExplainRequest{As: as, Table: a.table, Encounter: args[0], Number: at.Number, Within: at.Within, Before: before, Event: uint32(index)})
			if err != nil {
				return err
			}
			return a.answer(resp, func() string { return render.Explain(resp) })
		})
	c.Long = `Explain says of one event where its numbers come from, with the rules behind it.
Without EVENT it lists the events of the step with their numbers, bookkeeping
included; a roll has its label beside it in braces, as amend --roll takes it. STEP
may be a place inside the amended history of a ruling: STEP.N, as history --within
numbers them.`
	c.Flags().BoolVar(&before, "before", false, "with STEP.N: what it was before the ruling")
	return c
}

// numbered prints every event of a step with the number that explain takes.
func (a *app) numbered(ctx context.Context, client encounterv1.EncounterServiceClient, as *eventv1.Principal, encounter string, at *encounterv1.Place, before bool) error {
	ctx, cancel := a.call(ctx)
	defer cancel()
	resp, err := client.GetHistory(ctx, &encounterv1.GetHistoryRequest{As: as, Table: a.table, Encounter: encounter, After: at.Number - 1, Within: at.Within, Limit: 1})
	if err != nil && !fault.Is(err, fault.Invalid) {
		return err
	}
	if len(resp.GetSteps()) == 0 { // the number may also be beyond the last
		return fault.New(fault.NotFound, "UNKNOWN_STEP", "there is no step %d", at.Number)
	}
	style, err := a.style(ctx, client, encounter)
	if err != nil {
		return err
	}
	style.Bookkeeping, style.Labels = true, true
	events := resp.Steps[0].Events
	if before && len(resp.Steps[0].GetCorrected().GetBefore()) > 0 {
		events = resp.Steps[0].Corrected.Before
	}
	return a.answer(resp.Steps[0], func() string {
		style.Learn(events)
		var b strings.Builder
		if at.Within > 0 {
			fmt.Fprintf(&b, "#%d.%d\n", at.Within, at.Number)
		} else {
			fmt.Fprintf(&b, "#%d\n", at.Number)
		}
		for i, e := range events {
			fmt.Fprintf(&b, "%3d %s\n", i, strings.TrimSpace(style.Event(e)))
		}
		return b.String()
	})
}

func (a *app) listCommand() *cobra.Command {
	return a.reading("list", "List the encounters of a table", "  skald encounter list --table main", cobra.NoArgs,
		func(ctx context.Context, client encounterv1.EncounterServiceClient, as *eventv1.Principal, _ []string) error {
			after := ""
			for {
				call, cancel := a.call(ctx)
				resp, err := client.ListEncounters(call, &encounterv1.ListEncountersRequest{As: as, Table: a.table, After: after})
				cancel()
				if err != nil {
					return err
				}
				for _, e := range resp.Encounters {
					after = e.Encounter
					err := a.answer(e, func() string {
						e := render.Safe(e)
						status := strings.ToLower(strings.TrimPrefix(e.Status.String(), "STATUS_"))
						return fmt.Sprintf("%-24s %-8s %-8s %s\n", e.Encounter, e.System, status, e.Title)
					})
					if err != nil {
						return err
					}
				}
				if !resp.More || len(resp.Encounters) == 0 {
					return nil
				}
			}
		})
}

func (a *app) exportCommand() *cobra.Command {
	var file string
	c := a.reading("export ENCOUNTER", "Write the stored Commits for verification, one JSON line each",
		"  skald encounter export bridge -o bridge.jsonl\n  skald verify bridge.jsonl", cobra.ExactArgs(1),
		func(ctx context.Context, client encounterv1.EncounterServiceClient, as *eventv1.Principal, args []string) (err error) {
			out := a.out
			if file != "" {
				f, err := os.Create(file)
				if err != nil {
					return usage("%v", err)
				}
				defer func() { err = errors.Join(err, f.Close()) }()
				out = f
			}
			return exported(ctx, client, &encounterv1.ExportRequest{As: as, Table: a.table, Encounter: args[0]}, func(resp *encounterv1.ExportResponse) error {
				line, err := jsonLine(resp)
				if err != nil {
					return err
				}
				_, err = out.Write(line)
				return err
			})
		})
	c.Flags().StringVarP(&file, "output", "o", "", "file to write; empty means standard output")
	return c
}

// exported hands over what the export of an encounter holds, in order.
func exported(ctx context.Context, client encounterv1.EncounterServiceClient, req *encounterv1.ExportRequest, fn func(*encounterv1.ExportResponse) error) error {
	stream, err := client.Export(ctx, req)
	if err != nil {
		return err
	}
	for {
		resp, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := fn(resp); err != nil {
			return err
		}
	}
}
