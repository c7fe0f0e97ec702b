package celesia

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func TestCharge(t *testing.T) {
	apart := func(t *testing.T, x int32, a *eventv1.Sheet) *table {
		f := duel(t, a, fighter("b", "foes", unarmed(), defends(18)))
		f.at("b", x, 0)
		return f
	}
	t.Run(cite.MovementCharge, func(t *testing.T) {
		f := apart(t, 40, fighter("a", "party", attacks(7)))
		f.Must(act("a", "charge", "sword", "b"))
		if f.Creature("a").Position.X != 35 || f.acts("a") != 1 {
			t.Errorf("at %v with %d acts", f.Creature("a").Position, f.acts("a"))
		}
		f.Must(act("a", "attack", "sword", "b"), 6, 11, 1) // celesia.movement.charge-advantage
		if f.Attack().Outcome != "hit" {
			t.Error("18 hits")
		}
		wantRefused(t, apart(t, 70, fighter("a", "party")).Try(act("a", "charge", "sword", "b")), cite.MovementCharge)
	})
	t.Run("celesia.movement.charge reach", func(t *testing.T) {
		f := apart(t, 40, fighter("a", "party", weapon(&eventv1.CelesiaWeapon{Name: "glaive", Kind: "melee", Dice: "1d10", Hands: 2, Reach: true})))
		f.Must(act("a", "charge", "glaive", "b"))
		if f.Creature("a").Position.X != 30 {
			t.Errorf("at %v", f.Creature("a").Position)
		}
	})
	t.Run(cite.MovementChargeConditions, func(t *testing.T) {
		wantRefused(t, apart(t, 5, fighter("a", "party")).Try(act("a", "charge", "sword", "b")), cite.MovementChargeConditions)
		if err := apart(t, 10, fighter("a", "party")).Try(act("a", "charge", "sword", "b")); err != nil {
			t.Error(err)
		}
		f := apart(t, 40, fighter("a", "party"))
		wantRefused(t, f.Try(act("a", "charge", "sword", "b", withFacts("difficult", true))), cite.MovementChargeConditions)
		f.Must(&eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: fighter("c", "party")}}}, 2)
		f.at("c", 20, 0)
		wantRefused(t, f.Try(act("a", "charge", "sword", "b")), cite.MovementChargeConditions)
	})
	t.Run(cite.MovementChargeExposed, func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party", defends(16)), fighter("b", "foes"))
		f.at("a", 0, 0)
		f.at("b", 40, 0)
		f.start(nil, 15, 5)
		f.Must(act("a", "charge", "sword", "b"))
		f.End("a")
		f.Must(act("b", "attack", "sword", "a"), 4, 11, 1)
		if f.Attack().Outcome != "hit" {
			t.Error("16 hits")
		}
		f.End("b")
		if body.Has(f.Creature("a"), body.CondCharged) || body.Has(f.Creature("a"), body.CondCharging) {
			t.Error("the charge is not over")
		}
	})
	t.Run(cite.MovementChargeDraw, func(t *testing.T) {
		stowed := weapon(&eventv1.CelesiaWeapon{Name: "axe", Kind: "melee", Dice: "1d8", Hands: 1, Hand: "stowed"})
		f := apart(t, 40, fighter("a", "party", stowed, attacks(1)))
		f.Must(act("a", "charge", "axe", "b"))
		f.Must(act("a", "attack", "axe", "b"), 2, 3)
		wantRefused(t, apart(t, 40, fighter("a", "party", stowed, attacks(0))).Try(act("a", "charge", "axe", "b")), cite.EquipmentDrawSheathe)
	})
	t.Run("celesia.injury.leg no charge", func(t *testing.T) {
		f := apart(t, 40, fighter("a", "party"))
		f.Put("a", &eventv1.Vitals{Injuries: []*eventv1.Injury{{Kind: "leg", Side: "left"}}})
		wantRefused(t, f.Try(act("a", "charge", "sword", "b")), cite.InjuryLeg)
	})
}

func TestAidAnother(t *testing.T) {
	three := func(t *testing.T, bab int32) *table {
		f := newTable(t).add(fighter("a", "party", attacks(bab)), fighter("b", "party", attacks(6)), fighter("c", "foes", defends(20)))
		f.at("a", 0, 0)
		f.at("b", 10, 0)
		f.at("c", 5, 0)
		f.start(nil, 15, 10, 5)
		for _, id := range []string{"a", "b", "c"} {
			f.End(id)
		}
		return f
	}
	aid := act("a", "aid-another", "sword", "c", withParameters("friend", "b"))
	t.Run(cite.ActionAidAnother, func(t *testing.T) {
		f := three(t, 4)
		f.Must(aid, 6)
		f.Answer(strike.DecAid, "attack")
		f.End("a")
		f.Must(act("b", "attack", "sword", "c"), 13, 1)
		if f.Attack().Outcome != "hit" || body.Has(f.Creature("b"), checks.CondAided) {
			t.Error("13 + 6 + 1 = 20 hits, and the aid is used up")
		}
	})
	for _, tc := range []struct {
		rule string
		bab  int32
		face int
		want int32
	}{
		{cite.ActionAidAnotherDegrees, 12, 8, 2},
		{"celesia.action.aid-another-degrees 30", 12, 18, 3},
		{"celesia.action.aid-another-degrees 19", 12, 7, 1},
		{"celesia.action.degrees-aid nothing", 0, 3, 0},
	} {
		t.Run(tc.rule, func(t *testing.T) {
			f := three(t, tc.bab)
			f.Must(aid, tc.face)
			if tc.want > 0 {
				f.Answer(strike.DecAid, "attack")
			}
			if got := body.Condition(f.Creature("b"), checks.CondAided).GetValues()["aid"]; got != tc.want {
				t.Errorf("aid %d, want %d", got, tc.want)
			}
		})
	}
	t.Run(cite.ActionAidAnotherExpiry, func(t *testing.T) {
		f := three(t, 4)
		f.Must(aid, 6)
		f.Answer(strike.DecAid, "defense")
		f.End("a")
		f.End("b")
		f.Must(act("c", "attack", "sword", "b"), 10) // 15 against 15 + 1
		if f.Attack().Outcome != "miss" {
			t.Error("the aid counts for the first attack")
		}
		f.Must(act("c", "attack", "sword", "b"), 10, 1)
		if f.Attack().Outcome != "hit" {
			t.Error("and for the first only")
		}
		f = three(t, 4)
		f.Must(aid, 6)
		f.Answer(strike.DecAid, "attack")
		for _, id := range []string{"a", "b", "c"} {
			f.End(id)
		}
		if body.Has(f.Creature("b"), checks.CondAided) {
			t.Error("the aider's next turn has begun")
		}
	})
}
