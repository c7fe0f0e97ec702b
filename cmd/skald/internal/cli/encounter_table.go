package cli

import (
	"context"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// setCommand changes a setting, or all that a preset means.
func (a *app) setCommand() *cobra.Command {
	var preset string
	var over []string
	return a.command("set ENCOUNTER [SETTING VALUE]", "Change a setting, or choose a preset",
		"  skald encounter set bridge rcr.dice.inspiration-fudge off\n  skald encounter set bridge --preset base --set rcr.dice.threat=on",
		cobra.RangeArgs(1, 3),
		func(f *pflag.FlagSet) {
			f.StringVar(&preset, "preset", "", "settings of the document by one name (skald rules settings SYSTEM)")
			f.StringArrayVar(&over, "set", nil, "setting over the preset, or beside others: ID=VALUE")
		},
		func(_ context.Context, _ grpc.ClientConnInterface, args []string) (*eventv1.Command, error) {
			set := &eventv1.SetSetting{Preset: preset}
			var err error
			if set.Settings, err = pairs("set", over); err != nil {
				return nil, err
			}
			several := preset != "" || len(over) > 0
			switch {
			case len(args) == 3 && !several:
				set.Setting, set.Value = args[1], args[2]
			case len(args) != 1 || !several:
				return nil, usage("give SETTING and VALUE, or --preset and --set")
			}
			return &eventv1.Command{What: &eventv1.Command_Set{Set: set}}, nil
		})
}

// orderCommand gives a standing order to a creature, to several, to a side or to the
// monsters.
func (a *app) orderCommand() *cobra.Command {
	var side, when string
	var creatures []string
	var monsters, back bool
	return a.command("order ENCOUNTER [CREATURE] DECISION [ORDER]", "Give a standing order",
		`  skald encounter order bridge jeera opportunity-attack no
  skald encounter order bridge jeera opportunity-attack ask
  skald encounter order bridge --monsters opportunity-attack yes
  skald encounter order bridge --side orcs opportunity-attack yes --when "size(target.spells) > 0"
  skald encounter order bridge --side orcs opportunity-attack --when "size(target.spells) > 0" --back`,
		cobra.RangeArgs(2, 4),
		func(f *pflag.FlagSet) {
			f.StringVar(&side, "side", "", "for every creature of the side that nobody plays, in place of CREATURE")
			f.BoolVar(&monsters, "monsters", false, "for every creature that nobody plays, in place of CREATURE")
			f.StringArrayVar(&creatures, "creature", nil, "creature, in place of CREATURE; repeat for several")
			f.StringVar(&when, "when", "", "condition in CEL over self, target, distance, round and settings")
			f.BoolVar(&back, "back", false, "take the order back that was given with the same condition; without ORDER")
		},
		func(_ context.Context, _ grpc.ClientConnInterface, args []string) (*eventv1.Command, error) {
			o := &eventv1.SetStandingOrder{Side: side, Monsters: monsters, Creatures: creatures, When: when}
			rest := args[1:]
			if side == "" && !monsters && len(creatures) == 0 {
				o.Creature, rest = rest[0], rest[1:]
			}
			want := 2
			if back {
				want = 1
			}
			if len(rest) != want {
				return nil, usage("give CREATURE (or --side, --monsters, --creature), DECISION and ORDER; with --back no ORDER")
			}
			if o.Decision = rest[0]; !back {
				o.Order = rest[1]
			}
			return &eventv1.Command{What: &eventv1.Command_Order{Order: o}}, nil
		})
}

// togetherCommand has several creatures take an action as one command.
func (a *app) togetherCommand() *cobra.Command {
	take := &takeFlags{}
	var targets []string
	return a.command("together ENCOUNTER ACTION CREATURE...", "Declare, or take an action, for several creatures at once",
		`  skald encounter together bridge declare orc-1 orc-2 orc-3 --item attack
  skald encounter together bridge attack orc-1 orc-2 --target jeera --item Axe
  skald encounter together bridge attack orc-1=jeera orc-2=kim --item Axe`,
		cobra.MinimumNArgs(3),
		func(f *pflag.FlagSet) {
			take.register(f)
			f.StringArrayVar(&targets, "target", nil, "target of all; repeat for several. CREATURE=TARGET gives a creature its own")
		},
		func(_ context.Context, _ grpc.ClientConnInterface, args []string) (*eventv1.Command, error) {
			t, err := take.action()
			if err != nil {
				return nil, err
			}
			out := &eventv1.TakeTogether{}
			for _, word := range args[2:] {
				one := proto.CloneOf(t)
				id, own, given := strings.Cut(word, "=")
				one.Creature, one.Action, one.Targets = id, args[1], targets
				if given {
					one.Targets = strings.Split(own, ",")
				}
				out.Actions = append(out.Actions, one)
			}
			return &eventv1.Command{What: &eventv1.Command_Together{Together: out}}, nil
		})
}
