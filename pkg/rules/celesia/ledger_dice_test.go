package celesia

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules/celesia/answers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Maneuver checks with everything given: whose condition, what is tried, what
// comes of it.
func TestManeuverCircumstances(t *testing.T) {
	for _, tc := range []struct {
		rule         string
		self, target string
		what         string
		cmb, cmd     int32
		faces        []int
		total        int32
		success      bool
	}{
		{cite.DiceAdvTargetStunned, "", body.CondStunned, "grapple", 8, 20, []int{3, 12}, 20, true},
		{"celesia.dice.circumstance-table stunned, sickened", body.CondSickened, body.CondStunned, "disarm", 6, 18, []int{7, 12}, 18, true},
		{"celesia.dice.circumstance-table entangled", checks.CondEntangled, "", "trip", 4, 15, []int{11}, 15, true},
		{cite.DiceDisGrappled, body.CondGrappled, "", "trip", 5, 14, []int{12, 8}, 13, false},
		{cite.DiceDisBrokenShip, "broken-ship", "", "trip", 5, 14, []int{12, 8}, 13, false},
		{"celesia.dice.dis-grapple-invisible not yet grappled", "", body.CondInvisible, "grapple", 5, 14, []int{9}, 14, true},
	} {
		t.Run(tc.rule, func(t *testing.T) {
			f := duel(t, fighter("a", "party", cmb(tc.cmb), unarmed()), fighter("b", "foes", cmd(tc.cmd)))
			f.Count("b", body.CReactions, 0)
			if tc.self != "" {
				f.Afflict("a", tc.self)
			}
			if tc.target != "" {
				f.Afflict("b", tc.target)
			}
			f.Must(act("a", tc.what, "", "b"), tc.faces...)
			if r := f.Roll(tc.what); r.Total != tc.total || (r.Outcome == "success") != tc.success {
				t.Errorf("total %d, %s; want %d, success %v", r.Total, r.Outcome, tc.total, tc.success)
			}
		})
	}
}

// Keeping up a hold with everything given.
func TestHoldingCircumstances(t *testing.T) {
	for _, tc := range []struct {
		rule       string
		invisible  bool
		cmb, cmd   int32
		faces      []int
		total      int32
		stillHeld  bool
		firstCheck int
	}{
		{"celesia.dice.dis-grappled not when keeping up a hold", false, 5, 19, []int{9}, 19, true, 20},
		{cite.DiceDisGrappleInvisible, true, 4, 18, []int{15, 9}, 18, true, 20},
		{"celesia.dice.dis-grapple-invisible fails", true, 4, 18, []int{15, 8}, 17, false, 20},
	} {
		t.Run(tc.rule, func(t *testing.T) {
			f := grappled(t, fighter("a", "party", cmb(tc.cmb), unarmed()), fighter("b", "foes", cmd(tc.cmd), unarmed()), tc.firstCheck)
			f.End("a")
			f.End("b")
			if tc.invisible {
				f.Afflict("b", body.CondInvisible)
			}
			f.Must(act("a", "grapple-continued", "", ""), tc.faces...)
			if got := f.Roll("grapple-continued").Total; got != tc.total || (answers.Holds(f.Creature("a")) == "b") != tc.stillHeld {
				t.Errorf("total %d, holds %q", got, answers.Holds(f.Creature("a")))
			}
		})
	}
}

// Checks that are made in another's turn, and those of a ship.
func TestChecksOutOfTurn(t *testing.T) {
	t.Run(cite.DiceDisFascinated, func(t *testing.T) {
		f := duel(t, fighter("a", "party"), fighter("b", "foes", skill("perception", 3)))
		f.Afflict("b", "fascinated")
		f.Must(act("b", "reactive-check", "", "", withParameters("skill", "perception", "dc", 15.0)), 15, 7)
		if r := f.Roll("check/perception"); r.Total != 10 || r.Outcome != "failure" {
			t.Errorf("total %d, %s", r.Total, r.Outcome)
		}
		f.WantActive("a")
		if f.acts("a") != 3 || f.Creature("b").Counters[body.CReactions] != 1 {
			t.Error("a check called for costs nothing")
		}
	})
	t.Run("celesia.dice.dis-deafened opposed Perception", func(t *testing.T) {
		f := duel(t, fighter("a", "party"), fighter("b", "foes", skill("perception", 5)))
		f.Afflict("b", "deafened")
		f.Must(act("b", "reactive-check", "", "", withParameters("skill", "perception", "purpose", "opposed")), 16, 4)
		if got := f.Roll("check/perception").Total; got != 9 {
			t.Errorf("total %d, want 9", got)
		}
		f.Must(act("b", "reactive-check", "", "", withParameters("skill", "perception")), 16)
	})
	t.Run("celesia.dice.dis-broken-ship sailing", func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party", skill("sailing", 8))).start(nil, 10)
		f.Afflict("a", "broken-ship")
		f.Must(act("a", "skill-check", "", "", withParameters("skill", "sailing")), 17, 4)
		if got := f.Roll("check/sailing").Total; got != 12 {
			t.Errorf("total %d, want 12", got)
		}
		f.Must(act("a", "skill-check", "", "", withParameters("skill", "perception")), 17) // other skills are not the ship's
	})
	t.Run("the game master calls for them", func(t *testing.T) {
		for _, id := range []string{"skill-check", "reactive-check", "saving-throw"} {
			if !(System{}).GMOnly(id) {
				t.Errorf("%s is not the game master's", id)
			}
		}
	})
}

// celesia.damage.natural-ranged: the whole attack of the manticore.
func TestManticore(t *testing.T) {
	spike := &eventv1.CelesiaWeapon{Name: "w", Kind: body.KindNaturalRanged, Dice: "1d6", RangeFeet: 30}
	f := duel(t, fighter("a", "party", weapon(spike), attacks(6), ability("strength", 18, "dexterity", 14, "wisdom", 8),
		section(func(c *eventv1.CelesiaSheet) { c.SizeModifier = -1 })), fighter("b", "foes", unarmed(), defends(18)))
	f.Must(act("a", "attack", "w", "b"), 8, 4)
	if got := f.Roll("to-hit").Total; got != 18 {
		t.Errorf("total %d, want 8 + 6 + 4 + 2 - 1 - 1", got)
	}
	f.WantHP("b", 40-12)
}
