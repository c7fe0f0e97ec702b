package celesia

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func talented(list ...*eventv1.CelesiaAbility) func(*eventv1.Sheet) {
	return section(func(c *eventv1.CelesiaSheet) { c.SpecialAbilities = list })
}

func TestConvertedAbilities(t *testing.T) {
	for _, tc := range []struct {
		rule     string
		a        *eventv1.CelesiaAbility
		acts     int64 // left of 3
		provokes bool
	}{
		{cite.ActionConvertFree, &eventv1.CelesiaAbility{Time: body.TimeFree}, 3, false},
		{"celesia.action.convert-free spell-like", &eventv1.CelesiaAbility{Time: body.TimeFree, Kind: body.KindSpellLike}, 3, false},
		{cite.ActionConvertSwift, &eventv1.CelesiaAbility{Time: body.TimeSwift}, 2, false},
		{cite.ActionConvertMove, &eventv1.CelesiaAbility{Time: body.TimeMove}, 2, false},
		{cite.ActionConvertStandardAttack, &eventv1.CelesiaAbility{Time: body.TimeStandardAttack}, 2, false},
		{"celesia.action.convert-standard-attack complicated", &eventv1.CelesiaAbility{Time: body.TimeStandardAttack, Complicated: true}, 1, false},
		{"celesia.action.convert-standard-ability supernatural", &eventv1.CelesiaAbility{Time: body.TimeStandard, Kind: body.KindSupernatural}, 1, false},
		{"celesia.action.convert-standard-ability spell-like", &eventv1.CelesiaAbility{Time: body.TimeStandard, Kind: body.KindSpellLike}, 1, true},
		{cite.ActionConvertFull, &eventv1.CelesiaAbility{Time: body.TimeFull}, 0, false},
		{cite.ActionBoost, &eventv1.CelesiaAbility{Time: body.TimeSwift, Kind: body.KindBoost, Readied: true}, 2, false},
		{cite.ActionStandardStrike, &eventv1.CelesiaAbility{Time: body.TimeStandard, Kind: body.KindStrike, Readied: true}, 1, false},
	} {
		t.Run(tc.rule, func(t *testing.T) {
			tc.a.Name = "x"
			f := duel(t, fighter("a", "party", talented(tc.a)), fighter("b", "foes"))
			f.Must(act("a", "use-ability", "x", ""))
			if (len(f.Decisions) > 0) != tc.provokes {
				t.Fatalf("asked %v", f.Decisions)
			}
			if tc.provokes {
				f.Answer(body.DecReaction, "no")
			}
			if f.acts("a") != tc.acts {
				t.Errorf("%d acts left, want %d", f.acts("a"), tc.acts)
			}
		})
	}
	t.Run(cite.ActionConvertFreeSupporting, func(t *testing.T) {
		for setting, rule := range map[string]string{"on": cite.ActionConvertFreeSupporting, "off": ""} {
			f := duel(t, fighter("a", "party", talented(&eventv1.CelesiaAbility{Name: "x", Time: body.TimeFree, Supports: "move"})), fighter("b", "foes", unarmed()), body.OptConvertSupport+"="+setting)
			if rule == "" {
				f.Must(act("a", "use-ability", "x", ""))
				continue
			}
			wantRefused(t, f.Try(act("a", "use-ability", "x", "")), rule)
			f.Must(act("a", "move", "", "", way(0, 5)))
			f.Must(act("a", "use-ability", "x", ""))
		}
		// The free draw that goes with a Move: without the Move it costs an act.
		f := duel(t, fighter("a", "party", arms(sheathed("axe", 1, false)), attacks(3)), fighter("b", "foes", unarmed()))
		f.Must(act("a", "draw", "axe", ""))
		if f.acts("a") != 2 {
			t.Errorf("%d acts left", f.acts("a"))
		}
	})
	t.Run("celesia.action.convert-swift limited", func(t *testing.T) {
		f := duel(t, fighter("a", "party", talented(&eventv1.CelesiaAbility{Name: "x", Time: body.TimeSwift}, &eventv1.CelesiaAbility{Name: "y", Time: body.TimeSwift, OncePerTurn: true})), fighter("b", "foes"))
		f.Must(act("a", "use-ability", "y", ""))
		wantRefused(t, f.Try(act("a", "use-ability", "y", "")), cite.ActionConvertSwift)
		f.Must(act("a", "use-ability", "x", ""))
		f.Must(act("a", "use-ability", "x", ""))
		f.End("a")
		f.End("b")
		f.Must(act("a", "use-ability", "y", "")) // a new turn
	})
	t.Run(cite.ActionSwiftAbility, func(t *testing.T) {
		f := duel(t, fighter("a", "party", talented(&eventv1.CelesiaAbility{Name: "x", Time: body.TimeSwift}, &eventv1.CelesiaAbility{Name: "y", Time: body.TimeSwift})), fighter("b", "foes"))
		f.Must(act("a", "use-ability", "x", ""))
		f.Must(act("a", "use-ability", "y", ""))
		if f.acts("a") != 1 {
			t.Errorf("%d acts left, want 1", f.acts("a"))
		}
	})
	t.Run(cite.ActionSupernatural, func(t *testing.T) {
		breath := talented(&eventv1.CelesiaAbility{Name: "breath", Time: body.TimeStandard, Kind: body.KindSupernatural})
		f := duel(t, fighter("a", "party", breath, weapon(&eventv1.CelesiaWeapon{Name: "bite", Kind: "natural", Dice: "1d8"})), fighter("b", "foes"))
		f.Must(act("a", "use-ability", "breath", ""))
		f.Must(act("a", "attack", "bite", "b"), 2)
		if f.acts("a") != 0 || f.Creature("b").Counters[body.CReactions] != 1 {
			t.Error("3 acts, no provocation")
		}
	})
	t.Run("celesia.action.standard-strike after a Step", func(t *testing.T) {
		f := duel(t, fighter("a", "party", talented(&eventv1.CelesiaAbility{Name: "x", Time: body.TimeStandard, Kind: body.KindStrike, Readied: true})), fighter("b", "foes"))
		f.Must(act("a", "step", "", "", way(0, 5)))
		f.Must(act("a", "use-ability", "x", ""))
		if f.acts("a") != 0 {
			t.Errorf("%d acts left", f.acts("a"))
		}
	})
	t.Run("celesia.action.boost not readied", func(t *testing.T) {
		f := duel(t, fighter("a", "party", talented(&eventv1.CelesiaAbility{Name: "x", Time: body.TimeSwift, Kind: body.KindBoost, Readied: true},
			&eventv1.CelesiaAbility{Name: "y", Time: body.TimeSwift, Kind: body.KindBoost})), fighter("b", "foes"))
		f.Must(act("a", "use-ability", "x", ""))
		for _, name := range []string{"x", "y"} { // spent, never readied
			wantRefused(t, f.Try(act("a", "use-ability", name, "")), cite.ActionBoost)
		}
	})
	t.Run("a table that does not convert", func(t *testing.T) {
		f := duel(t, fighter("a", "party", talented(&eventv1.CelesiaAbility{Name: "x", Time: body.TimeFull})), fighter("b", "foes"), body.OptConvertFull+"=off")
		wantRefused(t, f.Try(act("a", "use-ability", "x", "")), cite.ActionConvertFull)
	})
}
