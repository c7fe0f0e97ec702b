package celesia

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/mending"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// celesia.action.aid-another, celesia.dice.dis-broken-weapon, celesia.dice.dis-prone-attacker,
// celesia.dice.dis-entangled, celesia.attack.fighting-defensively: the aiding roll is an
// attack roll, which what hampers the aider hampers; what the opponent is makes nothing of it.
func TestAidingRollIsAnAttackRoll(t *testing.T) {
	build := func(t *testing.T) *table {
		return crowd(t, [][2]int32{{0, 0}, {10, 0}, {5, 0}}, fighter("a", "party"), fighter("b", "party"), fighter("c", "foes"))
	}
	for name, worse := range map[string]func(f *table){
		"a broken weapon": func(f *table) {
			f.Creature("a").Items["sword"].Values = map[string]int32{body.ValueBroken: 1}
		},
		"prone":                func(f *table) { f.Afflict("a", body.CondProne) },
		"entangled":            func(f *table) { f.Afflict("a", "entangled") },
		"fighting defensively": func(f *table) { f.Must(act("a", "fight-defensively", "", "")) },
	} {
		t.Run(name, func(t *testing.T) {
			f := build(t)
			worse(f)
			f.Must(act("a", "aid-another", "sword", "c"), 18, 4) // the 4 counts: 9 falls 1 short
			if got := f.count("b", "aided"); got != 0 || len(f.Roll("aid").Edges) != 1 || f.Roll("aid").Edges[0].Advantage {
				t.Errorf("aided %d times, edges %v", got, f.Roll("aid").Edges)
			}
		})
	}
	for _, name := range []string{body.CondProne, body.CondBlind, body.CondStunned, body.CondFlanked, body.CondPinned} {
		t.Run("the opponent is "+name, func(t *testing.T) {
			f := crowd(t, [][2]int32{{0, 0}, {10, 0}, {5, 0}}, fighter("a", "party"), fighter("b", "party"), fighter("c", "foes"))
			f.Afflict("c", name)
			f.Must(act("a", "aid-another", "sword", "c", withFacts("friend_engaged", true)), 5) // one die: 10
			if edges := f.Roll("aid").Edges; len(edges) != 0 {
				t.Errorf("edges %v", edges)
			}
			f.Answer(strike.DecAid, "defense")
			if n := f.count("b", "aided"); n != 1 {
				t.Errorf("aided %d times", n)
			}
		})
	}
}

// celesia.attack.weakened-ability-bonus: what is left out is the bonus as it counts in the
// damage, one and a half times of it in two hands and half of it in the off hand; a
// penalty beside it stays.
func TestHoldingBackWhatCounts(t *testing.T) {
	two := &eventv1.CelesiaWeapon{Name: "w", Kind: "melee", Dice: "2d6", Hands: 2}
	off := &eventv1.CelesiaWeapon{Name: "w", Kind: "melee", Dice: "1d6", Hands: 1, Hand: "off"}
	claw := &eventv1.CelesiaWeapon{Name: "w", Kind: "natural", Dice: "1d6"}
	for name, c := range map[string]struct {
		w             *eventv1.CelesiaWeapon
		strength, dex int
		back          int
		faces         []int
		want          int32
	}{
		"two hands, some of it":    {two, 18, 12, 5, []int{15, 3, 3}, 6 + 7 - 5},
		"two hands, all of it":     {two, 18, 12, 90, []int{15, 3, 3}, 6},
		"two hands with a penalty": {two, 18, 8, 90, []int{15, 3, 3}, 6 - 1},
		"the off hand":             {off, 16, 14, 2, []int{15, 4}, 4},
		"the off hand, one of two": {off, 16, 14, 1, []int{15, 4}, 4 + 1},
		"a claw":                   {claw, 16, 14, 6, []int{15, 4}, 4 + 4 + 3 - 6},
	} {
		t.Run(name, func(t *testing.T) {
			f := duel(t, fighter("a", "party", ability("strength", c.strength, "dexterity", c.dex), weapon(c.w)), fighter("b", "foes", unarmed(), defends(18)))
			f.Must(act("a", "attack", "w", "b", withParameters("options", mending.OptionWeakened, "hold_back", c.back)), c.faces...)
			f.WantHP("b", 40-c.want)
		})
	}
	t.Run("asked for as many as there are", func(t *testing.T) {
		f := duel(t, fighter("a", "party", ability("strength", 18, "dexterity", 12), weapon(two)), fighter("b", "foes", unarmed(), defends(18)))
		f.Must(act("a", "attack", "w", "b", with(mending.OptionWeakened)), 15)
		if d := f.Decisions[0]; d.Name != mending.DecHoldBack || len(d.Options) != 8 {
			t.Fatalf("asked %v, want 0 to 7", d)
		}
		f.Answer(mending.DecHoldBack, "7", 6, 6)
		f.WantHP("b", 28)
	})
	t.Run("the ability penalty of a natural weapon cannot", func(t *testing.T) {
		f := duel(t, fighter("a", "party", ability("strength", 8, "dexterity", 8), weapon(claw)), fighter("b", "foes", unarmed(), defends(10)))
		f.Must(act("a", "attack", "w", "b", with(mending.OptionWeakened)), 10, 4) // nothing to ask
		f.WantHP("b", 40-2)
	})
}

// celesia.attack.coup-auto-critical: a coup de grace is an attack of the turn: it takes the
// bolt, and what must come before any attack comes too late.
func TestCoupIsAnAttack(t *testing.T) {
	crossbow := &eventv1.CelesiaWeapon{Name: "w", Kind: "projectile", Dice: "1d8", Hands: 2, RangeFeet: 100, Load: body.LoadHeavy}
	t.Run(cite.EquipmentLoadHeavyCrossbow, func(t *testing.T) {
		f := doomed(t, fighter("a", "party", weapon(crossbow)), fighter("b", "foes", fortitude(50)), body.CondHelpless)
		f.Must(act("a", "coup-de-grace", "w", "b"), 10)
		if n := f.Creature("a").Items["w"].Values[body.ValueLoaded]; n != 0 {
			t.Errorf("%d bolts are left", n)
		}
		f.End("a") // b cannot act
		wantRefused(t, f.Try(act("a", "coup-de-grace", "w", "b")), cite.EquipmentLoadHeavyCrossbow)
		f.Must(act("a", "load", "w", ""))
	})
	build := func(t *testing.T) *table {
		a := fighter("a", "party", attacks(6), ability("intelligence", 13), weapon(blade(0)))
		f := doomed(t, a, fighter("b", "foes", fortitude(50)), body.CondHelpless)
		f.Afflict("a", body.CondHasted)
		f.End("a") // b cannot act
		f.Must(act("a", "coup-de-grace", "w", "b"), 10)
		if f.acts("a") != 1 {
			t.Fatalf("%d acts left, want the fourth", f.acts("a"))
		}
		return f
	}
	t.Run(cite.AttackLunge, func(t *testing.T) {
		wantReason(t, build(t).Try(act("a", "lunge", "", "")), "ATTACKED", cite.AttackLunge)
	})
	t.Run(cite.AttackCombatExpertise, func(t *testing.T) {
		wantReason(t, build(t).Try(act("a", "attack", "w", "b", with(mending.OptionExpertise))), "NOT_FIRST", cite.AttackCombatExpertise)
	})
	t.Run("celesia.attack.natural-limbs", func(t *testing.T) {
		claws := section(func(c *eventv1.CelesiaSheet) {
			c.Weapons = append(c.Weapons, &eventv1.CelesiaWeapon{Name: "claw", Kind: "natural", Dice: "1d4", Limb: "right-hand"},
				&eventv1.CelesiaWeapon{Name: "bite", Kind: "natural", Dice: "1d4", Limb: "head"})
		})
		f := doomed(t, fighter("a", "party", claws), fighter("b", "foes", fortitude(50)), body.CondHelpless)
		f.Afflict("a", body.CondHasted)
		f.End("a") // b cannot act
		f.Must(act("a", "coup-de-grace", "sword", "b"), 10)
		wantReason(t, f.Try(act("a", "attack", "claw", "b")), "LIMB_USED", cite.AttackNaturalLimbs)
		f.Must(act("a", "attack", "bite", "b"), 10, 5, 1)
	})
}

// celesia.attack.coup-total-concealment, celesia.attack.lethal-with-nonlethal-weapon: the
// nature said when a coup de grace on an unseen foe was begun is that of the blow.
func TestUnseenCoupKeepsItsNature(t *testing.T) {
	for nature, tally := range map[string]int64{"lethal": 0, "": 6, "nonlethal": 6} {
		var say []func(*eventv1.TakeAction)
		if nature != "" {
			say = append(say, withParameters("damage", nature))
		}
		f := doomed(t, fighter("a", "party"), fighter("b", "foes", fortitude(50)), body.CondParalyzed, body.CondInvisible)
		f.Must(act("a", "coup-unseen", "fist", "b", say...))
		f.End("a")
		f.WantActive("a") // b cannot act
		f.Must(act("a", "finish-coup", "", ""), 10)
		if got := f.Creature("b").Counters[body.CNonlethal]; got != tally { // 3 x 2
			t.Errorf("%q: %d nonlethal, want %d", nature, got, tally)
		}
		f.WantHP("b", 40-6+int32(tally))
	}
}

// celesia.attack.unarmed-provoke: of several bare blows in one action each provokes from
// the one it is aimed at, before it is struck, and nobody twice.
func TestBareBlowsAtTwo(t *testing.T) {
	limbs := section(func(c *eventv1.CelesiaSheet) {
		c.Weapons = []*eventv1.CelesiaWeapon{{Name: "fist", Kind: "unarmed", Dice: "1d3", Nonlethal: true, Light: true, Limb: "right-hand"},
			{Name: "kick", Kind: "unarmed", Dice: "1d3", Nonlethal: true, Light: true, Limb: "leg"}}
	})
	build := func(t *testing.T, c *eventv1.Sheet, more ...func(*eventv1.Sheet)) *table {
		return crowd(t, [][2]int32{{0, 0}, {5, 0}, {0, 5}}, fighter("a", "party", append([]func(*eventv1.Sheet){limbs, attacks(14)}, more...)...), fighter("b", "foes"), c)
	}
	t.Run("both armed", func(t *testing.T) {
		f := build(t, fighter("c", "foes"))
		f.Must(act("a", "multiweapon", "fist", "b,c", withParameters("off", "kick")))
		f.wantOptions(body.DecReaction, "no", "attack:sword", "otherwise:sword")
		f.Answer(body.DecReaction+"/b", "attack:sword", 2, 9, 2) // misses; 9 + 14 - 4 hits 15
		if len(f.Decisions) != 1 || f.Decisions[0].Creature != "c" {
			t.Fatalf("asked %v, want c", f.Decisions)
		}
		f.Answer(body.DecReaction+"/c", "attack:sword", 3, 9, 3) // 9 + 14 - 8 hits
		if b, c := f.Creature("b").Counters[body.CNonlethal], f.Creature("c").Counters[body.CNonlethal]; b != 2 || c != 3 {
			t.Errorf("%d and %d nonlethal, want 2 and 3", b, c)
		}
	})
	t.Run("the second unarmed", func(t *testing.T) {
		f := build(t, fighter("c", "foes", unarmed()))
		f.Must(act("a", "multiweapon", "fist", "b,c", withParameters("off", "kick")))
		f.Answer(body.DecReaction+"/b", "no", 9, 2, 9, 3)
	})
	t.Run("the same twice", func(t *testing.T) {
		f := build(t, fighter("c", "foes"))
		f.Count("b", body.CReactions, 4)
		f.Must(act("a", "multiweapon", "fist", "b", withParameters("off", "kick")))
		f.Answer(body.DecReaction+"/b", "no", 9, 2, 9, 3)
	})
	t.Run("felled before the second", func(t *testing.T) {
		f := build(t, fighter("c", "foes", weapon(&eventv1.CelesiaWeapon{Name: "w", Kind: "melee", Dice: "1d8", Hands: 1, DamageBonus: 50})))
		f.Must(act("a", "multiweapon", "fist", "b,c", withParameters("off", "kick")))
		f.Answer(body.DecReaction+"/b", "no", 9, 2)
		f.Answer(body.DecReaction+"/c", "attack:w", 15, 8)
		f.Answer(body.DecCrippling, "none", 1) // 58 of 40: dying at -18; massive damage: 18 + save
		if f.Creature("c").Counters[body.CNonlethal] != 0 {
			t.Error("the second blow was struck")
		}
	})
}

// celesia.action.feint-effect, celesia.attack.combat-expertise: what counts as dodging goes
// with the Dexterity bonus, against the one attack of the feinter.
func TestFeintTakesTheDodge(t *testing.T) {
	b := fighter("b", "foes", ability("intelligence", 13), section(func(c *eventv1.CelesiaSheet) { c.Defense, c.DefenseDexterity = 17, 3 }))
	f := crowd(t, [][2]int32{{0, 0}, {5, 0}, {10, 0}}, fighter("a", "party", skilled("bluff", 30)), b, fighter("c", "party"))
	f.End("a")
	f.Must(act("b", "attack", "sword", "a", with(mending.OptionExpertise)), 2) // 2 steps at 5: +6
	f.End("b")
	f.Must(act("c", "attack", "sword", "b"), 10)
	if got := f.Roll("to-hit").Target.Value; got != 23 {
		t.Errorf("DV %d against another, want 23", got)
	}
	f.End("c")
	f.Must(act("a", "feint", "", "b"), 10)
	f.Must(act("a", "attack", "sword", "b"), 8)
	if got := f.Roll("to-hit").Target.Value; got != 14 {
		t.Errorf("DV %d after the feint, want 17 - 3", got)
	}
	var parts []string
	for _, m := range f.Roll("to-hit").Target.Modifiers {
		if m.Source == "feinted" {
			parts = append(parts, m.Rule)
			if m.Value != -9 {
				t.Errorf("the feint takes %d, want 3 and 6", m.Value)
			}
		}
	}
	if !slices.Equal(parts, []string{cite.ActionFeintEffect}) {
		t.Errorf("cited %v", parts)
	}
}
