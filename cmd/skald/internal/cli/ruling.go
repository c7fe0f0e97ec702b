package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"go.yaml.in/yaml/v3"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/encoding/protojson"

	"github.com/skaldrpg/skald/pkg/render"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// ruling makes a cobra command for a ruling: one that can be tried first.
func (a *app) ruling(use, short, example string, args cobra.PositionalArgs, flags func(*pflag.FlagSet),
	build func(ctx context.Context, conn grpc.ClientConnInterface, args []string) (*eventv1.Command, error)) *cobra.Command {
	f := &commandFlags{}
	c := a.commandWith(f, use, short, example, args, flags, build)
	c.Flags().BoolVar(&f.dryRun, "dry-run", false, "say what would change and what stands in the way, and store nothing")
	return c
}

// preview prints what a ruling would change; what stands in its way is a
// failure.
func (a *app) preview(ctx context.Context, client encounterv1.EncounterServiceClient, req *encounterv1.PreviewRulingRequest) error {
	resp, err := client.PreviewRuling(ctx, req)
	if err != nil {
		return err
	}
	if err := a.answer(resp, func() string { return render.Preview(resp) }); err != nil {
		return err
	}
	if n := len(resp.Troubles); n == 1 {
		return &failedError{"one thing stands in the way"}
	} else if n > 1 {
		return &failedError{fmt.Sprintf("%d things stand in the way", n)}
	}
	return nil
}

func (a *app) undoCommand() *cobra.Command {
	var step uint64
	var round int32
	var turn bool
	var reason, point string
	var flags *pflag.FlagSet
	c := a.ruling("undo ENCOUNTER", "Put an encounter back: before the last command, or further",
		"  skald undo bridge --reason \"wrong target\"\n  skald undo bridge --to-step 12\n  skald undo bridge --to-round 2\n  skald undo bridge --turn\n  skald undo bridge --to-save-point \"before the door\"",
		cobra.ExactArgs(1),
		func(f *pflag.FlagSet) {
			flags = f
			f.Uint64Var(&step, "to-step", 0, "the step (in the game master's numbers) whose state is wanted")
			f.Int32Var(&round, "to-round", 0, "to the beginning of this round")
			f.BoolVar(&turn, "turn", false, "to the beginning of the turn under way")
			f.StringVar(&point, "to-save-point", "", "to a save point, by name (skald encounter save)")
			f.StringVar(&reason, "reason", "", "why; shown to everyone whose view changes")
		},
		func(context.Context, grpc.ClientConnInterface, []string) (*eventv1.Command, error) {
			r := &eventv1.RevertEncounter{Reason: reason, To: &eventv1.RevertEncounter_Last{Last: true}}
			given := 0
			if flags.Changed("to-step") {
				r.To = &eventv1.RevertEncounter_Version{Version: step}
				given++
			}
			if flags.Changed("to-round") {
				r.To = &eventv1.RevertEncounter_Round{Round: round}
				given++
			}
			if turn {
				r.To = &eventv1.RevertEncounter_Turn{Turn: true}
				given++
			}
			if point != "" {
				r.To = &eventv1.RevertEncounter_SavePoint{SavePoint: point}
				given++
			}
			if given > 1 {
				return nil, usage("give one of --to-step, --to-round, --to-save-point and --turn")
			}
			return &eventv1.Command{What: &eventv1.Command_Revert{Revert: r}}, nil
		})
	c.Long = `Undo puts the encounter back by a ruling of the game master: nothing is erased,
every viewer's state becomes what it was. Without a flag the last command that
still counts is taken back. Redo takes the ruling back.`
	return c
}

func (a *app) redoCommand() *cobra.Command {
	var reason string
	return a.ruling("redo ENCOUNTER", "Take the last undo back", "  skald redo bridge", cobra.ExactArgs(1),
		func(f *pflag.FlagSet) {
			f.StringVar(&reason, "reason", "", "why; shown to everyone whose view changes")
		},
		func(context.Context, grpc.ClientConnInterface, []string) (*eventv1.Command, error) {
			return &eventv1.Command{What: &eventv1.Command_Redo{Redo: &eventv1.RedoEncounter{Reason: reason}}}, nil
		})
}

func (a *app) amendCommand() *cobra.Command {
	amend, take := &eventv1.AmendCommand{}, &takeFlags{}
	var targets []string
	var file string
	var answers, rolls, resolve, dropIllegal, forceIllegal []string
	var totals, outcomes []string
	away := &onwardFlags{}
	c := a.ruling("amend ENCOUNTER [STEP]", "Change a past command and decide every later one again",
		`  skald amend bridge 12 --drop --reason "she was not in reach" --dry-run
  skald amend bridge 12 --fact cover=half --dry-run
  skald amend bridge 12 --circumstance "disadvantage:poisoned" --target snag
  skald amend bridge 12 --command take.yaml
  skald amend bridge 12 --roll attack/1/to-hit=17
  skald amend bridge 12 --outcome attack/1/to-hit=failure
  skald amend bridge --insert-after 12 --command dodge.yaml
  skald amend bridge 9 --change-answer opportunity-attack/jeera=longsword --take-defaults
  skald amend bridge 9 --drop --drop-illegal 11 --resolve 3f1c09aa52e07b14=no`,
		cobra.RangeArgs(1, 2),
		func(f *pflag.FlagSet) {
			f.StringVar(&file, "command", "", "YAML or JSON file with the command in its place, such as {take: {...}}")
			take.register(f)
			f.StringArrayVar(&targets, "target", nil, "target in place of those named; repeat for several")
			f.BoolVar(&amend.ClearCircumstances, "clear-circumstances", false, "take away the circumstances that were stated")
			f.BoolVar(&amend.Drop, "drop", false, "take the command away")
			f.StringArrayVar(&answers, "change-answer", nil, "answer in place of the one given: DECISION=VALUE or DECISION/CREATURE=VALUE")
			f.StringArrayVar(&rolls, "roll", nil, "faces in place of those rolled: LABEL=FACES; marked as fixed by the game master for ever")
			f.StringArrayVar(&totals, "total", nil, "total of a roll by the game master's word: LABEL=NUMBER; marked so for ever")
			f.StringArrayVar(&outcomes, "outcome", nil, "outcome of a roll by the game master's word: LABEL=OUTCOME, such as failure; marked so for ever")
			f.Uint64Var(&amend.InsertAfter, "insert-after", 0, "put the command of --command in after this step, in place of STEP")
			f.StringVar(&amend.Contest, "contest", "", "id of the contest that this settles")
			f.StringArrayVar(&dropIllegal, "drop-illegal", nil, "later step to drop when it became illegal; repeat for several")
			f.StringArrayVar(&forceIllegal, "force-illegal", nil, "later step that became illegal and stands as it was recorded; repeat for several")
			f.StringArrayVar(&resolve, "resolve", nil, "answer to a decision that the dry run lists: ID=VALUE; repeat for several")
			f.BoolVar(&amend.TakeDefaults, "take-defaults", false, "take the default of decisions that are newly met")
			f.StringVar(&amend.AcceptRules, "accept-rules", "", "version of this server's rules, where they are others than those that decided; the dry run says so")
			f.StringVar(&amend.Reason, "reason", "", "why; shown to everyone whose view changes")
			away.register(f)
		},
		func(_ context.Context, _ grpc.ClientConnInterface, args []string) (*eventv1.Command, error) {
			var err error
			if err := away.into(amend); err != nil {
				return nil, err
			}
			switch {
			case len(args) == 1 && amend.InsertAfter == 0:
				return nil, usage("give the STEP to change, or --insert-after")
			case len(args) == 2 && amend.InsertAfter > 0:
				return nil, usage("--insert-after: comes in place of STEP")
			case len(args) == 2:
				if amend.Version, err = strconv.ParseUint(args[1], 10, 64); err != nil {
					return nil, usage("STEP: want a step's number, got %q", args[1])
				}
			}
			byWord, err := results(totals, outcomes)
			if err != nil {
				return nil, err
			}
			if file != "" {
				if amend.Command, err = readCommand(file); err != nil {
					return nil, err
				}
			}
			if take.given() || len(targets) > 0 {
				if amend.Change, err = take.action(); err != nil {
					return nil, err
				}
				amend.Change.Targets = targets
			}
			if amend.Answers, err = early(answers); err != nil {
				return nil, err
			}
			for _, text := range rolls {
				label, list, _ := strings.Cut(text, "=")
				numbers, err := faces("roll", list)
				if err != nil || len(numbers) == 0 {
					return nil, usage("--roll: want LABEL=FACES, got %q", text)
				}
				amend.Rolls = append(amend.Rolls, &eventv1.FixedRoll{Label: label, Faces: numbers})
			}
			amend.Rolls = append(amend.Rolls, byWord...)
			given, err := early(resolve)
			if err != nil {
				return nil, err
			}
			for _, a := range given {
				amend.Resolve = append(amend.Resolve, &eventv1.AnswerDecision{Decision: a.Decision, Answer: a.Answer})
			}
			if amend.DropIllegal, err = steps("drop-illegal", dropIllegal); err != nil {
				return nil, err
			}
			if amend.ForceIllegal, err = steps("force-illegal", forceIllegal); err != nil {
				return nil, err
			}
			return &eventv1.Command{What: &eventv1.Command_Amend{Amend: amend}}, nil
		})
	c.Long = `Amend is a ruling of the game master: one past command is changed or taken away,
and every later one is decided again, in order, with the same dice at every roll
that is met again. It happens as one step or not at all. Try it with --dry-run first:
it lists what would differ, and the later commands that stand in the way. The
labels that --roll, --total and --outcome take: skald encounter explain ENCOUNTER STEP.
With --insert-after a command that was forgotten is put in between two; hit points at
a place are set by putting in an edit.

Where patients have left the fight, the ruling goes on into their records, the deeds
between fights, and the later fights that they went into: the dry run lists what
becomes of each, and it is made in all of them at once or not at all. What stands in the
way there is settled by --elsewhere; a fight that is not to be decided again by --stands.
A fight that is over needs new dice for rolls that were never made: skald encounter
open-dice.`
	return c
}

// results reads what the game master says that rolls came to.
func results(totals, outcomes []string) ([]*eventv1.FixedRoll, error) {
	var out []*eventv1.FixedRoll
	for _, text := range totals {
		label, number, _ := strings.Cut(text, "=")
		n, err := strconv.ParseInt(number, 10, 32)
		if err != nil {
			return nil, usage("--total: want LABEL=NUMBER, got %q", text)
		}
		total := int32(n)
		out = append(out, &eventv1.FixedRoll{Label: label, Total: &total})
	}
	for _, text := range outcomes {
		label, outcome, _ := strings.Cut(text, "=")
		if outcome == "" {
			return nil, usage("--outcome: want LABEL=OUTCOME, got %q", text)
		}
		out = append(out, &eventv1.FixedRoll{Label: label, Outcome: outcome})
	}
	return out, nil
}

// steps reads the numbers of steps that a flag names.
func steps(flag string, texts []string) ([]uint64, error) {
	var out []uint64
	for _, text := range texts {
		n, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			return nil, usage("--%s: want a step's number, got %q", flag, text)
		}
		out = append(out, n)
	}
	return out, nil
}

// readCommand reads a command of the contracts from a file.
func readCommand(file string) (*eventv1.Command, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, usage("%v", err)
	}
	var tree any
	if err := yaml.Unmarshal(data, &tree); err != nil {
		return nil, usage("%s: %v", file, err)
	}
	text, err := json.Marshal(tree)
	if err != nil {
		return nil, usage("%s: %v", file, err)
	}
	cmd := &eventv1.Command{}
	if err := protojson.Unmarshal(text, cmd); err != nil {
		return nil, usage("%s: %v", file, err)
	}
	return cmd, nil
}
