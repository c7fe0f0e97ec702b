package celesia

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/answers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/saddle"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// wordsOf are the values of a parameter of an option, by its name; false when it is not listed.
func wordsOf(o *eventv1.Option, name string) (out []string, listed bool) {
	for _, p := range o.Parameters {
		if p.Name == name {
			for _, v := range p.Values {
				out = append(out, v.GetStringValue())
			}
			return out, true
		}
	}
	return nil, false
}

func optionsOf(f *table, id, action string) []*eventv1.Option {
	return slices.DeleteFunc(System{}.Options(rules.Query{State: f.State, Creature: id}), func(o *eventv1.Option) bool { return o.Action != action })
}

// celesia.equipment.draw-two: the second weapon is listed only with the first that
// it goes with, and only for those who can.
func TestDrawingTwoOnTheMoveIsListed(t *testing.T) {
	pair := arms(sheathed("short sword", 1, true), sheathed("dagger", 1, true), sheathed("greatsword", 2, false))
	for _, tt := range []struct {
		name  string
		sheet []func(*eventv1.Sheet)
		want  map[string][]string
	}{
		{"with the feat", []func(*eventv1.Sheet){features(body.FeatTwoWeapon), attacks(1)}, map[string][]string{"short sword": {"dagger"}, "dagger": {"short sword"}}},
		{"without the feat", []func(*eventv1.Sheet){attacks(1)}, nil},
		{"without a base attack bonus", []func(*eventv1.Sheet){features(body.FeatTwoWeapon), attacks(0)}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := duel(t, fighter("a", "party", append([]func(*eventv1.Sheet){pair}, tt.sheet...)...), fighter("b", "foes", unarmed()))
			all := optionsOf(f, "a", "move")
			if _, listed := wordsOf(all[0], "second"); listed {
				t.Error("a second weapon is listed without a first")
			}
			if len(all) != 1+len(tt.want) {
				t.Fatalf("%d ways to move, want %d", len(all), 1+len(tt.want))
			}
			for _, o := range all[1:] {
				first, _ := wordsOf(o, "draw")
				second, _ := wordsOf(o, "second")
				if len(first) != 1 || !slices.Equal(second, tt.want[first[0]]) {
					t.Fatalf("with %v goes %v, want %v", first, second, tt.want)
				}
				if err := f.Peek(act("a", "move", "", "", withParameters("draw", first[0], "second", second[0]))); err != nil {
					t.Errorf("%v with %v: %v", first, second, err)
				}
			}
		})
	}
}

// celesia.turn.three-acts: with nobody to aim at the reason is what forbids it
// in any case, if something does.
func TestNobodyToAimAt(t *testing.T) {
	f := duel(t, fighter("a", "party"), fighter("b", "foes"))
	f.Must(&eventv1.Command{What: &eventv1.Command_Remove{Remove: &eventv1.RemoveCreature{Creature: "b"}}})
	if o := optionsOf(f, "a", "attack")[0]; o.Legal || o.Reason != "there is nobody to aim at" {
		t.Errorf("with acts left: %v", o)
	}
	f.Must(act("a", "move", "", ""))
	if o := optionsOf(f, "a", "coup-de-grace")[0]; o.Legal || o.Rule != answers.CostRule(3) {
		t.Errorf("without the acts for it: %v", o)
	}
}

// celesia.mount.horse-space: the pair stays together, however its mount goes and
// whichever of the two the game master places.
func TestPairsStayTogether(t *testing.T) {
	t.Run("celesia.maneuver.overrun by a mount", func(t *testing.T) {
		f := cavalry(t, fighter("a", "party", unarmed()), horse(), fighter("b", "foes", unarmed()))
		f.at("b", 10, 0)
		f.Resolve(func(x *rules.Resolution) error {
			saddle.RunThrough(x, x.Creature("h"), &eventv1.TakeAction{Creature: "h"}, []*eventv1.Position{{X: 20}})
			return nil
		})
		f.wantAt("h", 20, 0)
		f.wantAt("a", 20, 0)
	})
	for _, id := range []string{"a", "h"} {
		t.Run(id+" is placed", func(t *testing.T) {
			f := cavalry(t, fighter("a", "party", unarmed()), horse(), fighter("b", "foes", unarmed()))
			f.Must(&eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: id, Position: &eventv1.Position{X: 30, Y: 40}}}})
			f.wantAt("a", 30, 40)
			f.wantAt("h", 30, 40)
			if body.MountOf(f.Creature("a")) != "h" {
				t.Error("the rider is out of the saddle")
			}
		})
	}
}
