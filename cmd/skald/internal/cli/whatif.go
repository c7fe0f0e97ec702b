package cli

import (
	"context"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"google.golang.org/grpc"

	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func (a *app) whatIfCommand() *cobra.Command {
	take := &takeFlags{}
	var file string
	var targets, answers []string
	var endTurn bool
	c := &cobra.Command{Use: "preview ENCOUNTER [CREATURE ACTION]", Short: "Say what a command would do, and give it not", Args: cobra.RangeArgs(1, 3),
		Example: `  skald encounter preview bridge jeera attack --item longsword --target snag
  skald encounter preview bridge --end-turn
  skald encounter preview bridge --command take.yaml`,
		RunE: func(cmd *cobra.Command, args []string) error {
			command, err := previewed(take, file, targets, endTurn, args)
			if err != nil {
				return err
			}
			if command.Answers, err = early(answers); err != nil {
				return err
			}
			return a.connected(cmd.Context(), needServer, func(ctx context.Context, conn grpc.ClientConnInterface) error {
				as, err := a.principal()
				if err != nil {
					return err
				}
				call, cancel := a.call(ctx)
				defer cancel()
				resp, err := encounterv1.NewWhatIfServiceClient(conn).Preview(call, &encounterv1.PreviewRequest{As: as, Table: a.table, Encounter: args[0], Command: command})
				if err != nil {
					return err
				}
				style, err := a.style(call, encounterv1.NewEncounterServiceClient(conn), args[0])
				if err != nil {
					return err
				}
				return a.answer(resp, func() string { return style.WhatIf(resp) })
			})
		}}
	take.register(c.Flags())
	c.Flags().StringArrayVar(&targets, "target", nil, "target; repeat for several")
	c.Flags().StringArrayVar(&answers, "answer", nil, "answer given ahead: DECISION=VALUE or DECISION/CREATURE=VALUE")
	c.Flags().BoolVar(&endTurn, "end-turn", false, "preview the end of the turn (of CREATURE, where one is given)")
	c.Flags().StringVar(&file, "command", "", "YAML or JSON file with the command, such as {take: {...}}")
	c.Long = `Preview says what a command would ask, which rolls it would make and with which
odds, and what would come of them. It is made from what you may know: of creatures
whose numbers you do not know, nothing is said that depends on them. No die is
rolled, nothing is stored, and the fight goes on meanwhile.`
	return c
}

// previewed is the command that a preview is of.
func previewed(take *takeFlags, file string, targets []string, endTurn bool, args []string) (*eventv1.Command, error) {
	switch {
	case file != "" && len(args) > 1 || endTurn && len(args) > 2 || endTurn && file != "":
		return nil, usage("give CREATURE ACTION, --end-turn or --command, one of them")
	case file != "":
		return readCommand(file)
	case endTurn:
		return &eventv1.Command{What: &eventv1.Command_EndTurn{EndTurn: &eventv1.EndTurn{Creature: strings.Join(args[1:], "")}}}, nil
	case len(args) != 3:
		return nil, usage("say who does what: CREATURE ACTION")
	}
	action, err := take.action()
	if err != nil {
		return nil, err
	}
	action.Creature, action.Action, action.Targets = args[1], args[2], targets
	return &eventv1.Command{What: &eventv1.Command_Take{Take: action}}, nil
}

func (a *app) forkCommand() *cobra.Command {
	create := &eventv1.CreateEncounter{Fork: &eventv1.ForkOf{}}
	c := a.command("fork ENCOUNTER NEW", "Begin a new encounter as another one stood",
		"  skald encounter fork bridge bridge-again --at 12\n  skald encounter compare bridge --other bridge-again", cobra.ExactArgs(2),
		func(f *pflag.FlagSet) {
			f.Uint64Var(&create.Fork.Version, "at", 0, "the step (in the game master's numbers) whose state it begins with; 0 means now")
			f.StringVar(&create.Title, "title", "", "title for people; that of the origin when not given")
		},
		func(_ context.Context, _ grpc.ClientConnInterface, args []string) (*eventv1.Command, error) {
			create.Fork.Encounter, create.Encounter, create.Table = args[0], args[1], a.table
			return &eventv1.Command{What: &eventv1.Command_Create{Create: create}}, nil
		})
	c.Long = `Fork begins a new encounter of the table with everything that the other one was
after a step: rule system, settings, packs, creatures, and what each player knew.
Its dice are its own. Patients in it are copies: what happens to them is written to
no record.`
	return c
}

func (a *app) compareCommand() *cobra.Command {
	req := &encounterv1.CompareRequest{}
	c := &cobra.Command{Use: "compare ENCOUNTER", Short: "Say where two states differ: of one encounter, or of two", Args: cobra.ExactArgs(1),
		Example: "  skald encounter compare bridge --at 12 --other-at 20\n  skald encounter compare bridge --other bridge-again",
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.connected(cmd.Context(), needServer, func(ctx context.Context, conn grpc.ClientConnInterface) error {
				as, err := a.principal()
				if err != nil {
					return err
				}
				req.As, req.Table, req.Encounter = as, a.table, args[0]
				call, cancel := a.call(ctx)
				defer cancel()
				resp, err := encounterv1.NewWhatIfServiceClient(conn).Compare(call, req)
				if err != nil {
					return err
				}
				style, err := a.style(call, encounterv1.NewEncounterServiceClient(conn), args[0])
				if err != nil {
					return err
				}
				return a.answer(resp, func() string { return style.Compared(resp) })
			})
		}}
	c.Flags().Uint64Var(&req.At, "at", 0, "your number of the step in ENCOUNTER; 0 means now")
	c.Flags().StringVar(&req.OtherEncounter, "other", "", "the other encounter, of the same table; the same when not given")
	c.Flags().Uint64Var(&req.OtherAt, "other-at", 0, "your number of the step in the other; 0 means now")
	return c
}
