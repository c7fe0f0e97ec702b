package cli

import (
	"context"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"google.golang.org/grpc"

	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func (a *app) contestCommand() *cobra.Command {
	take := &takeFlags{}
	claim := &eventv1.ContestClaim{}
	var words string
	var targets, rolls []string
	c := a.command("contest ENCOUNTER STEP", "Contest what happened in a step",
		`  skald encounter contest bridge 12 --words "there was a wall between us"
  skald encounter contest bridge 12 --fact cover=half --words "I stood behind the wall"
  skald encounter contest bridge 12 --roll attack/1/to-hit=17`,
		cobra.ExactArgs(2),
		func(f *pflag.FlagSet) {
			take.register(f)
			f.StringVar(&words, "words", "", "what is claimed, in words")
			f.StringArrayVar(&targets, "target", nil, "target that it should have been; repeat for several")
			f.BoolVar(&claim.Drop, "drop", false, "it should not count at all")
			f.BoolVar(&claim.ClearCircumstances, "clear-circumstances", false, "the circumstances that were stated should not count")
			f.StringArrayVar(&rolls, "roll", nil, "faces that were read wrongly: LABEL=FACES; repeat for several")
		},
		func(_ context.Context, _ grpc.ClientConnInterface, args []string) (*eventv1.Command, error) {
			step, err := strconv.ParseUint(args[1], 10, 64)
			if err != nil {
				return nil, usage("STEP: want a step's number, got %q", args[1])
			}
			if take.given() || len(targets) > 0 {
				if claim.Change, err = take.action(); err != nil {
					return nil, err
				}
				claim.Change.Targets = targets
			}
			for _, text := range rolls {
				label, list, _ := strings.Cut(text, "=")
				numbers, err := faces("roll", list)
				if err != nil || len(numbers) == 0 {
					return nil, usage("--roll: want LABEL=FACES, got %q", text)
				}
				claim.Rolls = append(claim.Rolls, &eventv1.ClaimedRoll{Label: label, Faces: numbers})
			}
			out := &eventv1.ContestStep{Step: step, Words: words}
			if claim.Change != nil || claim.Drop || claim.ClearCircumstances || len(claim.Rolls) > 0 {
				out.Claim = claim
			}
			return &eventv1.Command{What: &eventv1.Command_Contest{Contest: out}}, nil
		})
	c.Long = `Contest says that something was not as it was recorded: in words, and where it can
be said so, as a change of the action, in the same form as skald amend takes it. The
step is one of your own numbers (skald encounter history). The game master upholds it
by a ruling or declines it with a reason; the fight goes on meanwhile.`
	return c
}

// contests asks for the contests of an encounter.
func (a *app) contests(ctx context.Context, conn grpc.ClientConnInterface, req *encounterv1.ListContestsRequest) (*encounterv1.ListContestsResponse, error) {
	as, err := a.principal()
	if err != nil {
		return nil, err
	}
	req.As, req.Table = as, a.table
	call, cancel := a.call(ctx)
	defer cancel()
	return encounterv1.NewWhatIfServiceClient(conn).ListContests(call, req)
}

func (a *app) contestsCommand() *cobra.Command {
	req := &encounterv1.ListContestsRequest{}
	c := &cobra.Command{Use: "contests ENCOUNTER", Short: "List contests and how they stand", Args: cobra.ExactArgs(1),
		Example: "  skald encounter contests bridge\n  skald encounter contests bridge --open --dry-run",
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.connected(cmd.Context(), needServer, func(ctx context.Context, conn grpc.ClientConnInterface) error {
				req.Encounter = args[0]
				resp, err := a.contests(ctx, conn, req)
				if err != nil {
					return err
				}
				style, err := a.style(ctx, encounterv1.NewEncounterServiceClient(conn), args[0])
				if err != nil {
					return err
				}
				return a.answer(resp, func() string { return style.Contests(resp) })
			})
		}}
	c.Flags().BoolVar(&req.OpenOnly, "open", false, "only those that wait")
	c.Flags().StringVar(&req.Contest, "contest", "", "only this one, by id")
	c.Flags().BoolVar(&req.DryRun, "dry-run", false, "with what upholding each would change; for the game master")
	return c
}

func (a *app) upholdCommand() *cobra.Command {
	var reason string
	var word bool
	var rulingFlags struct {
		dropIllegal, forceIllegal []string
		takeDefaults              bool
	}
	c := a.ruling("uphold ENCOUNTER CONTEST", "Uphold a contest by the ruling that it asks for",
		"  skald encounter uphold bridge 3f1c09aa52e0 --dry-run\n  skald encounter uphold bridge 3f1c09aa52e0 --reason \"the wall was there\"\n  skald encounter uphold bridge 3f1c09aa52e0 --by-word",
		cobra.ExactArgs(2),
		func(f *pflag.FlagSet) {
			f.StringVar(&reason, "reason", "", "why; the words of the contest when not given")
			f.BoolVar(&word, "by-word", false, "uphold it and change nothing: what follows was done otherwise")
			f.StringArrayVar(&rulingFlags.dropIllegal, "drop-illegal", nil, "later step to drop when it became illegal; repeat for several")
			f.StringArrayVar(&rulingFlags.forceIllegal, "force-illegal", nil, "later step that became illegal and stands as it was recorded; repeat for several")
			f.BoolVar(&rulingFlags.takeDefaults, "take-defaults", false, "take the default of decisions that are newly met")
		},
		func(ctx context.Context, conn grpc.ClientConnInterface, args []string) (*eventv1.Command, error) {
			settle := &eventv1.Command{What: &eventv1.Command_Settle{Settle: &eventv1.SettleContest{Contest: args[1], Uphold: true, Reason: reason}}}
			if word {
				return settle, nil
			}
			resp, err := a.contests(ctx, conn, &encounterv1.ListContestsRequest{Encounter: args[0], Contest: args[1]})
			if err != nil {
				return nil, err
			}
			cmd := resp.Contests[0].Ruling
			am := cmd.GetAmend()
			switch {
			case resp.Contests[0].Contest.GetStatus() != eventv1.Contest_STATUS_OPEN:
				return settle, nil // the server says how it stands
			case cmd == nil:
				return nil, usage("the contest says no change that can be made: amend or undo by hand, then uphold it with --by-word")
			case am == nil:
				if reason != "" && cmd.GetRevert() != nil {
					cmd.GetRevert().Reason = reason
				}
				return cmd, nil
			}
			if reason != "" {
				am.Reason = reason
			}
			am.TakeDefaults = rulingFlags.takeDefaults
			if am.DropIllegal, err = steps("drop-illegal", rulingFlags.dropIllegal); err != nil {
				return nil, err
			}
			am.ForceIllegal, err = steps("force-illegal", rulingFlags.forceIllegal)
			return cmd, err
		})
	return c
}

// settling makes a command about a contest.
func (a *app) settling(use, short string, flags func(*pflag.FlagSet), build func(contest string) *eventv1.Command) *cobra.Command {
	name, _, _ := strings.Cut(use, " ")
	return a.command(use, short, "  skald encounter "+name+" bridge 3f1c09aa52e0", cobra.ExactArgs(2), flags,
		func(_ context.Context, _ grpc.ClientConnInterface, args []string) (*eventv1.Command, error) {
			return build(args[1]), nil
		})
}

func (a *app) declineCommand() *cobra.Command {
	var reason string
	return a.settling("decline ENCOUNTER CONTEST", "Decline a contest, with a reason", func(f *pflag.FlagSet) {
		f.StringVar(&reason, "reason", "", "why; told to whoever was told of the contest")
	}, func(id string) *eventv1.Command {
		return &eventv1.Command{What: &eventv1.Command_Settle{Settle: &eventv1.SettleContest{Contest: id, Reason: reason}}}
	})
}

func answerContest(a *eventv1.AnswerContest) *eventv1.Command {
	return &eventv1.Command{What: &eventv1.Command_AnswerContest{AnswerContest: a}}
}

func (a *app) grantCommand() *cobra.Command {
	return a.settling("grant ENCOUNTER CONTEST", "Grant a take-back that you are asked about", nil, func(id string) *eventv1.Command {
		return answerContest(&eventv1.AnswerContest{Contest: id, Grant: true})
	})
}

func (a *app) refuseCommand() *cobra.Command {
	return a.settling("refuse ENCOUNTER CONTEST", "Refuse a take-back that you are asked about", nil, func(id string) *eventv1.Command {
		return answerContest(&eventv1.AnswerContest{Contest: id})
	})
}

func (a *app) withdrawCommand() *cobra.Command {
	return a.settling("withdraw ENCOUNTER CONTEST", "Give up a contest of your own", nil, func(id string) *eventv1.Command {
		return answerContest(&eventv1.AnswerContest{Contest: id, Withdraw: true})
	})
}

func (a *app) takeBackCommand() *cobra.Command {
	t := &eventv1.TakeBack{}
	return a.command("take-back ENCOUNTER", "Ask to take your own last commands back",
		"  skald encounter take-back bridge --words \"I meant the other one\"\n  skald encounter take-back bridge --commands 2", cobra.ExactArgs(1),
		func(f *pflag.FlagSet) {
			f.Uint32Var(&t.Commands, "commands", 1, "how many of your last commands")
			f.StringVar(&t.Words, "words", "", "why")
		},
		func(context.Context, grpc.ClientConnInterface, []string) (*eventv1.Command, error) {
			return &eventv1.Command{What: &eventv1.Command_TakeBack{TakeBack: t}}, nil
		})
}

func (a *app) saveCommand() *cobra.Command {
	var forget bool
	return a.command("save ENCOUNTER NAME", "Give the state of now a name to go back to",
		"  skald encounter save bridge \"before the door\"\n  skald undo bridge --to-save-point \"before the door\"\n  skald encounter save bridge \"before the door\" --forget", cobra.ExactArgs(2),
		func(f *pflag.FlagSet) { f.BoolVar(&forget, "forget", false, "take the name away instead") },
		func(_ context.Context, _ grpc.ClientConnInterface, args []string) (*eventv1.Command, error) {
			return &eventv1.Command{What: &eventv1.Command_Save{Save: &eventv1.SaveState{Name: args[1], Forget: forget}}}, nil
		})
}
