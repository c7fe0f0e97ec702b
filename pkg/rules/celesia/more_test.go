package celesia

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules/celesia/answers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func TestMaximumRange(t *testing.T) {
	for _, tc := range []struct {
		rule             string
		kind             string
		increment, limit int32
		feet             int
		allowed          bool
	}{
		{"celesia.attack.maximum-range javelin 150", "thrown", 30, 0, 150, true},
		{"celesia.attack.maximum-range javelin 155", "thrown", 30, 0, 155, false},
		{"celesia.attack.maximum-range longbow 1000", "projectile", 100, 0, 1000, true},
		{"celesia.attack.maximum-range four increments", "projectile", 50, 4, 201, false},
	} {
		t.Run(tc.rule, func(t *testing.T) {
			w := &eventv1.CelesiaWeapon{Name: "w", Kind: tc.kind, Dice: "1d6", Hands: 1, RangeFeet: tc.increment, MaximumIncrements: tc.limit}
			f := duel(t, fighter("a", "party", weapon(w)), fighter("b", "foes", unarmed()))
			cmd := act("a", "attack", "w", "b", withFacts("distance", tc.feet))
			if !tc.allowed {
				wantRefused(t, f.Try(cmd), cite.AttackMaximumRange)
				return
			}
			f.Must(cmd, 2)
		})
	}
}

func TestIntoMelee(t *testing.T) {
	bow := weapon(&eventv1.CelesiaWeapon{Name: "w", Kind: "projectile", Dice: "1d6", Hands: 2, RangeFeet: 60})
	bare := section(func(c *eventv1.CelesiaSheet) { c.Weapons = nil })
	shot := func(t *testing.T, foe *eventv1.Sheet, down bool, faces []int, allies ...*eventv1.Sheet) *table {
		f := newTable(t).add(fighter("a", "party", bow, attacks(5)), foe)
		f.at("a", 0, 0)
		f.at("b", 40, 0)
		start := []int{19, 5, 4, 3}[:2+len(allies)]
		for i, ally := range allies {
			f.add(ally)
			f.at(ally.Id, 40, int32(5-10*i))
		}
		f.start(nil, start...)
		if down {
			f.Afflict("c", body.CondUnconscious)
		}
		f.Must(act("a", "attack", "w", "b"), faces...)
		return f
	}
	t.Run("celesia.attack.engaged-definition one direction", func(t *testing.T) {
		f := shot(t, fighter("b", "foes", defends(14)), false, []int{14, 9, 1}, fighter("c", "party", bare))
		if f.Roll("to-hit").Total != 14 || f.Attack().Outcome != "hit" {
			t.Error("keeps 9: 14 hits")
		}
	})
	t.Run("celesia.attack.engaged-definition unconscious", func(t *testing.T) {
		shot(t, fighter("b", "foes", defends(30)), true, []int{14}, fighter("c", "party"))
	})
}

func TestRangedDamage(t *testing.T) {
	for _, tc := range []struct {
		rule, kind, dice string
		str, dex, wis    int
		face             int
		lost             int32
	}{
		{cite.DamageThrown, "thrown", "1d6", 16, 12, 8, 4, 7},
		{"celesia.damage.natural-ranged manticore", "natural-ranged", "1d6", 18, 14, 8, 4, 12},
		{"celesia.damage.natural-ranged spine", "natural-ranged", "1d4", 14, 14, 18, 1, 13},
	} {
		t.Run(tc.rule, func(t *testing.T) {
			w := &eventv1.CelesiaWeapon{Name: "w", Kind: tc.kind, Dice: tc.dice, RangeFeet: 30}
			if tc.kind == "thrown" {
				w.Hands = 1
			}
			a := fighter("a", "party", weapon(w), attacks(5), ability("strength", tc.str, "dexterity", tc.dex, "wisdom", tc.wis))
			f := duel(t, a, fighter("b", "foes", unarmed(), defends(20)))
			f.Must(act("a", "attack", "w", "b"), 15, tc.face)
			f.WantHP("b", 40-tc.lost)
		})
	}
}

// celesia.maneuver.success, celesia.maneuver.grapple-continued
func TestManeuverCheck(t *testing.T) {
	for _, tc := range []struct {
		rule string
		face int
		want bool
	}{
		{"celesia.maneuver.success margin 0", 11, true},
		{"celesia.maneuver.success fails by 10", 1, false},
	} {
		t.Run(tc.rule, func(t *testing.T) {
			f := grappled(t, fighter("a", "party", cmb(8), unarmed()), fighter("b", "foes", cmd(19), unarmed()), tc.face)
			if got := answers.Holds(f.Creature("a")) == "b"; got != tc.want {
				t.Errorf("success %v, want %v", got, tc.want)
			}
		})
	}
	for face, want := range map[int]bool{9: true, 8: false} {
		t.Run(cite.ManeuverGrappleContinued, func(t *testing.T) {
			f := grappled(t, fighter("a", "party", cmb(8), unarmed()), fighter("b", "foes", cmd(22), unarmed()), 20)
			f.End("a")
			f.End("b")
			f.Must(act("a", "grapple-continued", "", ""), face)
			if got := len(f.Decisions) > 0; got != want {
				t.Errorf("face %d: success %v, want %v", face, got, want)
			}
		})
	}
}

func TestFreeActionsAndThings(t *testing.T) {
	t.Run(cite.ActionFreeOwnTurnOnly, func(t *testing.T) {
		f := duel(t, fighter("a", "party"), fighter("b", "foes", unarmed()))
		wantRefused(t, f.Try(act("b", "drop-prone", "", "")), cite.ActionFreeOwnTurnOnly)
	})
	t.Run("celesia.equipment.drop-item free", func(t *testing.T) {
		f := duel(t, fighter("a", "party"), fighter("b", "foes", unarmed()))
		f.Must(act("a", "drop-item", "sword", ""))
		f.Must(act("a", "drop-prone", "", ""))
		if f.acts("a") != 3 || f.Creature("a").Items["sword"].Place != body.PlaceDropped || !body.Has(f.Creature("a"), body.CondProne) {
			t.Error("both for no act")
		}
	})
	t.Run(cite.EquipmentManipulateItem, func(t *testing.T) {
		f := duel(t, fighter("a", "party"), fighter("b", "foes"))
		f.Must(act("a", "drop-item", "sword", ""))
		f.Must(act("a", "pick-up", "sword", ""))
		f.Answer(body.DecReaction, "no")
		f.Must(act("a", "attack", "sword", "b"), 2)
		f.Must(act("a", "attack", "sword", "b"), 2)
		if f.State.Active[0] == "a" && f.acts("a") != 0 {
			t.Errorf("%d acts left", f.acts("a"))
		}
	})
}
