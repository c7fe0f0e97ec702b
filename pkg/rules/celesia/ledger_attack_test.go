package celesia

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func TestLimbs(t *testing.T) {
	claw := func(limb string) *eventv1.CelesiaWeapon {
		return &eventv1.CelesiaWeapon{Name: limb, Kind: body.KindNatural, Dice: "1d4", Limb: limb}
	}
	beast := section(func(c *eventv1.CelesiaSheet) {
		c.Weapons = append(c.Weapons, claw("right-hand"), claw("left-hand"))
	})
	t.Run("celesia.attack.natural-limbs the sword first", func(t *testing.T) {
		f := duel(t, fighter("a", "party", beast), fighter("b", "foes"))
		f.Must(act("a", "attack", "sword", "b"), 2)
		wantRefused(t, f.Try(act("a", "attack", "right-hand", "b")), cite.AttackNaturalLimbs)
		f.Must(act("a", "attack", "left-hand", "b"), 2)
		f.Must(act("a", "attack", "left-hand", "b"), 2) // the same claw may strike again
		f.End("a")
		f.End("b")
		f.Must(act("a", "attack", "right-hand", "b"), 2) // within one turn only
	})
	t.Run("celesia.attack.natural-limbs the claw first", func(t *testing.T) {
		f := duel(t, fighter("a", "party", beast), fighter("b", "foes"))
		f.Must(act("a", "attack", "right-hand", "b"), 2)
		wantRefused(t, f.Try(act("a", "attack", "sword", "b")), cite.AttackNaturalLimbs)
	})
	t.Run("celesia.attack.natural-limbs both hands", func(t *testing.T) {
		great := weapon(&eventv1.CelesiaWeapon{Name: "great", Kind: body.KindMelee, Dice: "2d6", Hands: 2})
		f := duel(t, fighter("a", "party", beast, great), fighter("b", "foes"))
		f.Must(act("a", "attack", "great", "b"), 2)
		for _, hand := range []string{"right-hand", "left-hand"} {
			wantRefused(t, f.Try(act("a", "attack", hand, "b")), cite.AttackNaturalLimbs)
		}
	})
}

func TestStrengthOfArms(t *testing.T) {
	bow := &eventv1.CelesiaWeapon{Name: "w", Kind: body.KindProjectile, Dice: "1d8", Hands: 2, RangeFeet: 100}
	fist := &eventv1.CelesiaWeapon{Name: "w", Kind: body.KindUnarmed, Dice: "1d3", Type: "bludgeoning", Nonlethal: true, Light: true}
	for _, tc := range []struct {
		rule           string
		w              *eventv1.CelesiaWeapon
		str, dex, wis  int
		face           int
		total          int32
		damage         int
		lost, nonlethl int32
	}{
		{cite.DamageProjectile, bow, 18, 16, 14, 10, 20, 6, 11, 0}, // 10 + 5 + 3 + 2, Strength does not count
		{cite.DamageUnarmed, fist, 14, 10, 10, 13, 20, 2, 0, 4},
		{"celesia.damage.unarmed Dexterity too", fist, 14, 14, 10, 11, 20, 2, 0, 6}, // as in melee, by the ledger's reading
	} {
		t.Run(tc.rule, func(t *testing.T) {
			f := duel(t, fighter("a", "party", weapon(tc.w), ability("strength", tc.str, "dexterity", tc.dex, "wisdom", tc.wis)), fighter("b", "foes", unarmed(), defends(20)))
			f.Must(act("a", "attack", "w", "b"), tc.face, tc.damage)
			if got := f.Roll("to-hit").Total; got != tc.total {
				t.Errorf("total %d, want %d", got, tc.total)
			}
			f.WantHP("b", 40-tc.lost)
			if got := f.Creature("b").Counters[body.CNonlethal]; got != int64(tc.nonlethl) {
				t.Errorf("nonlethal %d, want %d", got, tc.nonlethl)
			}
		})
	}
}

func TestIntoMeleeNumbers(t *testing.T) {
	bow := weapon(&eventv1.CelesiaWeapon{Name: "w", Kind: body.KindProjectile, Dice: "1d6", Hands: 2, RangeFeet: 60})
	shot := func(t *testing.T, change ...func(*eventv1.Sheet)) *table {
		return crowd(t, [][2]int32{{0, 0}, {40, 0}, {45, 0}}, fighter("a", "party", append([]func(*eventv1.Sheet){bow, attacks(7)}, change...)...),
			fighter("b", "foes", defends(15)), fighter("c", "party"))
	}
	t.Run(cite.AttackIntoMelee, func(t *testing.T) {
		f := shot(t)
		f.Must(act("a", "attack", "w", "b"), 13, 8, 1)
		if f.Roll("to-hit").Total != 15 || f.Attack().Outcome != "hit" {
			t.Errorf("total %d, want 15", f.Roll("to-hit").Total)
		}
		f.Afflict("b", body.CondFlanked)
		f.Must(act("a", "attack", "w", "b"), 8, 1) // one die
	})
	t.Run(cite.FeatPreciseShot, func(t *testing.T) {
		f := shot(t, features(body.FeatPreciseShot), attacks(6))
		f.Afflict("b", body.CondProne)
		f.Must(act("a", "attack", "w", "b"), 15, 8)
		if got := f.Roll("to-hit").Total; got != 14 {
			t.Errorf("total %d, want 14: the prone disadvantage remains", got)
		}
	})
	t.Run("celesia.attack.into-melee allies of the target do not count", func(t *testing.T) {
		f := crowd(t, [][2]int32{{0, 0}, {40, 0}, {45, 0}}, fighter("a", "party", bow), fighter("b", "foes", defends(30)), fighter("c", "foes"))
		f.Must(act("a", "attack", "w", "b"), 3)
	})
}

func TestFeintedRunner(t *testing.T) {
	// celesia.action.feint-effect: a Dexterity bonus that is gone cannot be lost again.
	agile := section(func(c *eventv1.CelesiaSheet) { c.Defense, c.DefenseDexterity = 17, 3 })
	for _, condition := range []string{body.CondFlatFooted, body.CondPinning, strike.CondRunning} {
		f := duel(t, fighter("a", "party"), fighter("b", "foes", agile, unarmed()))
		f.Afflict("b", condition, body.CondFeinted+"@a")
		f.Must(act("a", "attack", "sword", "b"), 2)
		if got := f.Roll("to-hit").Target.Value; got != 14 {
			t.Errorf("%s and feinted: DV %d, want 14", condition, got)
		}
		if body.Has(f.Creature("b"), body.CondFeinted) {
			t.Errorf("%s: the feint is not used up", condition)
		}
	}
}
