package celesia

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// celesia.action.one-round-frame: a spell of a round meets those who are alive and in reach when it
// is done, and comes to nothing where nobody is, or its caster knows it no more.
func TestWhomASpellOfARoundMeets(t *testing.T) {
	long := spell(&eventv1.CelesiaSpell{Name: "s", Casting: "1-round", Dice: "1d6", CasterLevel: 1, RangeFeet: 30})
	for name, c := range map[string]struct {
		do    func(f *table)
		meets bool
	}{
		"there":        {func(*table) {}, true},
		"dead by then": {func(f *table) { f.Hurt("b", -60) }, false},
		"out of reach": {put("b", 60, 0), false},
		"forgotten": {func(f *table) {
			f.Must(&eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: "a", Sheet: fighter("a", "party")}}})
		}, false},
	} {
		f := crowd(t, [][2]int32{{0, 0}, {20, 0}, {90, 0}}, fighter("a", "party", long), fighter("b", "foes", unarmed()), fighter("c", "foes", unarmed()))
		f.Must(act("a", "cast", "s", "b"))
		f.End("a")
		c.do(f)
		if body.Dead(f.Creature("b")) {
			f.WantActive("c")
		} else {
			f.End("b")
		}
		f.Roller = func(int) int { return 4 }
		f.End("c")
		if hurt := f.DamageTo("b") == 4; hurt != c.meets || f.noted(cite.ActionOneRoundFrame) == c.meets {
			t.Errorf("%s: hurt %t, told that it finds nobody %t", name, hurt, f.noted(cite.ActionOneRoundFrame))
		}
	}
}

// celesia.maneuver.grapple-move: one whom an answer on the way has torn from its holder comes along
// no farther; one that stands on no map is moved on none.
func TestTheHeldOnTheWay(t *testing.T) {
	t.Run("torn away", func(t *testing.T) {
		f := newTable(t, body.SetOnTheWay+"=on").add(fighter("a", "party", cmb(9), cmd(10), unarmed()), fighter("b", "foes", cmd(15), unarmed()),
			fighter("c", "foes", cmb(30), instead("bull-rush", false)), fighter("d", "foes"))
		f.at("a", 0, 0)
		f.at("b", 5, 0)
		f.at("c", -10, -5)
		f.at("d", -20, 5)
		f.start(nil, 18, 15, 10, 5)
		f.ends("a", "b", "c", "d")
		f.Must(act("a", "grapple", "", "b"), 15)
		f.ends("a", "b", "c", "d")
		f.Must(act("a", "grapple-continued", "", ""), 15)
		f.Answer(body.DecHold, "move")
		f.Must(act("a", "move", "", "", way(-30, 0)))
		f.wantAt("a", -5, 0)
		f.wantAt("b", 0, -5)
		f.Answer(body.DecReaction+"/c", "instead:x", 10)
		if body.Has(f.Creature("b"), body.CondGrappled) || len(f.Decisions) != 1 || f.Decisions[0].Creature != "d" {
			t.Fatalf("%v; open %v", f.Creature("b").Conditions, f.Decisions)
		}
		f.wantAt("b", 0, -5)
		f.Answer(body.DecReaction+"/d", "no")
		f.wantAt("a", -30, 0)
		f.wantAt("b", 0, -5)
	})
	t.Run("on no map", func(t *testing.T) {
		f := newTable(t, body.SetOnTheWay+"=on").add(fighter("a", "party", cmb(9), unarmed()), fighter("b", "foes", unarmed()), fighter("c", "foes"))
		f.set(18, 15, 10)
		f.Must(act("a", "grapple", "", "b"), 15)
		f.ends("a", "b", "c")
		f.at("a", 0, 0)
		f.at("c", -15, 5)
		f.Must(act("a", "grapple-continued", "", ""), 15)
		f.Answer(body.DecHold, "move")
		f.Must(act("a", "move", "", "", way(-30, 0)))
		f.Answer(body.DecReaction+"/c", "no")
		f.wantAt("a", -30, 0)
		if at := f.Creature("b").Position; at != nil {
			t.Errorf("b at %v", at)
		}
	})
}

// celesia.movement.step: by a speed of more than 5 feet, where that is chosen among several.
func TestStepBySpeed(t *testing.T) {
	for feet, want := range map[int32][]string{5: {"walk"}, 10: {"swim", "walk"}} {
		f := duel(t, fighter("a", "party", func(s *eventv1.Sheet) { s.Speeds = map[string]int32{"walk": 30, "swim": feet} }), fighter("b", "foes", unarmed()))
		got, _ := wordsOf(optionsOf(f, "a", "step")[0], "mode")
		if !slices.Equal(got, want) {
			t.Errorf("swims %d: %v, want %v", feet, got, want)
		}
	}
}

// celesia.injury.hand: of more than two hands none is the right or the left, so that an injury of
// such a one keeps them from nothing.
func TestHandsOfFour(t *testing.T) {
	for hands, reason := range map[int32]string{2: "HAND_LOST", 4: ""} {
		f := duel(t, fighter("a", "party", section(func(c *eventv1.CelesiaSheet) {
			c.Body = &eventv1.CelesiaBody{Hands: hands, Fingers: 5, Arms: hands, Legs: 2, Eyes: 2, Head: true}
			c.Weapons = []*eventv1.CelesiaWeapon{{Name: "dagger", Kind: "melee", Dice: "1d4", Hands: 1, Hand: "off"}, {Name: "sword", Kind: "melee", Dice: "1d8", Hands: 1, Hand: "main"}}
		})), fighter("b", "foes", unarmed(), defends(60)))
		f.Put("a", &eventv1.Vitals{Injuries: []*eventv1.Injury{{Id: "i1", Kind: "hand", Side: "left"}, {Id: "i2", Kind: "hand", Side: "right"}}})
		f.Roller = func(int) int { return 2 }
		for _, name := range []string{"dagger", "sword"} {
			wantReason(t, f.Try(act("a", "attack", name, "b")), reason, cite.InjuryHand)
		}
	}
}
