package celesia

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/manners"
	"github.com/skaldrpg/skald/pkg/rules/celesia/mending"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func blade(plus int32) *eventv1.CelesiaWeapon {
	return &eventv1.CelesiaWeapon{Name: "w", Kind: "melee", Dice: "1d8", Hands: 1, DamageBonus: plus}
}

func longbow(plus int32) *eventv1.CelesiaWeapon {
	return &eventv1.CelesiaWeapon{Name: "w", Kind: "projectile", Dice: "1d8", Hands: 2, RangeFeet: 100, DamageBonus: plus}
}

func with(option string) func(*eventv1.TakeAction) { return withParameters("options", option) }

// sum of the modifiers of one source.
func from(mods []*eventv1.Modifier, source string) (sum int32) {
	for _, m := range mods {
		if m.Source == source {
			sum += m.Value
		}
	}
	return sum
}

func TestTradeOffScale(t *testing.T) {
	// celesia.attack.special-scaling: every row of the table.
	steps := []int32{1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 6}
	martial := []int32{1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10}
	twoHanded := []int32{3, 3, 3, 3, 6, 6, 6, 6, 9, 9, 9, 9, 12, 12, 12, 12, 15, 15, 15, 15, 18}
	for base := int32(21); base <= 60; base++ { // beyond the table, as the words say
		n, m := 1+base/4, 1+(base-1)/2
		if got, want := manners.StepsAt(nil, base), (manners.Steps{Base: base, Steps: n, Penalty: -n, Bonus: 2 * n, TwoHanded: 3 * n, OffHand: n, Dodge: 3 * n,
			Martial: m, MartialPenalty: -m, MartialPoints: 2 * m, MartialShielded: 3 * m}); got != want {
			t.Errorf("base %d: %+v, want %+v", base, got, want)
		}
	}
	for base := int32(0); base <= 20; base++ {
		if got := manners.StepsAt(nil, base).Steps; got != steps[base] {
			t.Errorf("base %d: %d steps, want %d", base, got, steps[base])
		}
		if got := manners.StepsAt(nil, base).Martial; got != martial[base] {
			t.Errorf("base %d: %d steps of Martial Power, want %d", base, got, martial[base])
		}
		c := &eventv1.Creature{Sheet: fighter("x", "s", attacks(base)), Conditions: []*eventv1.Condition{{Name: mending.OptionPower}}}
		for where, want := range map[string]int32{body.PlaceMain: 2 * steps[base], body.PlaceBoth: twoHanded[base], body.PlaceOff: steps[base]} {
			c.Items = map[string]*eventv1.ItemState{"w": {Place: where}}
			if got := from(manners.TradedDamage(nil, c, body.Attack{Weapon: blade(0)}), "Power Attack"); got != want {
				t.Errorf("base %d, %s: %d damage, want %d", base, where, got, want)
			}
		}
	}
}

func TestPowerAttack(t *testing.T) {
	strong := ability("strength", 16)
	t.Run(cite.AttackPowerAttack, func(t *testing.T) {
		great := &eventv1.CelesiaWeapon{Name: "w", Kind: "melee", Dice: "2d6", Hands: 2, AttackBonus: 2, DamageBonus: 2}
		f := duel(t, fighter("a", "party", strong, attacks(4), weapon(great)), fighter("b", "foes", defends(16)))
		f.Must(act("a", "attack", "w", "b", with(mending.OptionPower)), 10, 3, 5) // 10 + 4 + 3 + 2 - 2 = 17; 8 + 4 + 2 + 6
		if got := f.Roll("to-hit").Total; got != 17 {
			t.Errorf("total %d, want 17", got)
		}
		f.WantHP("b", 20)
	})
	for _, tc := range []struct {
		rule      string
		base      int32
		w         *eventv1.CelesiaWeapon
		penalty   int32
		more      int32
		precision bool
	}{
		{"celesia.attack.power-attack off-hand", 8, &eventv1.CelesiaWeapon{Name: "w", Kind: "melee", Dice: "1d4", Hands: 1, Light: true, Hand: "off"}, -3, 3, false},
		{"celesia.attack.power-attack two-handed", 1, &eventv1.CelesiaWeapon{Name: "w", Kind: "melee", Dice: "1d6", Hands: 2}, -1, 3, false},
		{"celesia.attack.power-attack one-handed in both", 4, &eventv1.CelesiaWeapon{Name: "w", Kind: "melee", Dice: "1d8", Hands: 1, Hand: "both"}, -2, 6, false},
		{"celesia.attack.power-attack light in both", 4, &eventv1.CelesiaWeapon{Name: "w", Kind: "melee", Dice: "1d4", Hands: 1, Light: true, Hand: "both"}, -2, 4, false},
		{"celesia.attack.power-attack primary natural", 4, &eventv1.CelesiaWeapon{Name: "w", Kind: "natural", Dice: "1d6"}, -2, 6, false},
		{"celesia.attack.power-attack secondary natural", 4, &eventv1.CelesiaWeapon{Name: "w", Kind: "natural", Dice: "1d6", Secondary: true}, -2, 2, false},
		{"celesia.attack.power-attack touch", 4, &eventv1.CelesiaWeapon{Name: "w", Kind: "melee", Dice: "1d6", Hands: 1, Touch: true}, -2, 0, false},
		{"celesia.attack.special-scaling 7", 7, blade(0), -2, 4, false},
		{"celesia.attack.special-scaling 8", 8, blade(0), -3, 6, false},
		{"celesia.attack.precision-strike two hands", 4, &eventv1.CelesiaWeapon{Name: "w", Kind: "melee", Dice: "1d8", Hands: 2}, -2, 4, true},
		{"celesia.attack.precision-strike off-hand", 4, &eventv1.CelesiaWeapon{Name: "w", Kind: "melee", Dice: "1d6", Hands: 1, Hand: "off"}, -2, 2, true},
		{"celesia.attack.precision-strike secondary natural", 4, &eventv1.CelesiaWeapon{Name: "w", Kind: "natural", Dice: "1d6", Secondary: true}, -2, 2, true},
		{"celesia.attack.precision-strike touch", 4, &eventv1.CelesiaWeapon{Name: "w", Kind: "melee", Dice: "1d6", Hands: 1, Touch: true}, -2, 0, true},
	} {
		t.Run(tc.rule, func(t *testing.T) {
			option, name := mending.OptionPower, "Power Attack"
			if tc.precision {
				option, name = mending.OptionPrecision, "Precision Strike"
			}
			f := duel(t, fighter("a", "party", ability("strength", 15, "dexterity", 15), attacks(tc.base), weapon(tc.w)), fighter("b", "foes", defends(10)))
			f.Must(act("a", "attack", "w", "b", withParameters("options", option, "degrees", 0)), 12, 1)
			if got := from(f.Roll("to-hit").Modifiers, name); got != tc.penalty {
				t.Errorf("penalty %d, want %d", got, tc.penalty)
			}
			if got := from(f.Roll("/damage").Modifiers, name); got != tc.more {
				t.Errorf("damage %d, want %d", got, tc.more)
			}
		})
	}
	t.Run(cite.AttackPowerAttackDurationExclusive, func(t *testing.T) {
		f := duel(t, fighter("a", "party", ability("strength", 13, "dexterity", 13), attacks(1), weapon(blade(0))), fighter("b", "foes", defends(40)))
		f.Must(act("a", "attack", "w", "b", with(mending.OptionPower)), 2)
		for range 2 {
			f.Must(act("a", "attack", "w", "b"), 2)
			if got := from(f.Roll("to-hit").Modifiers, "Power Attack"); got != -1 {
				t.Errorf("penalty %d on a later attack, want -1", got)
			}
		}
		wantRefused(t, f.Try(act("a", "attack", "w", "b", with(mending.OptionPrecision))), cite.TurnThreeActs)
		f.End("a")
		f.Must(act("b", "sheathe", "sword", ""))
		f.Answer(body.DecReaction, "attack:w", 2)
		if got := from(f.Roll("to-hit").Modifiers, "Power Attack"); got != -1 {
			t.Errorf("penalty %d on an attack of opportunity, want -1", got)
		}
		f.End("b")
		if body.Has(f.Creature("a"), mending.OptionPower) {
			t.Error("still in force in the next turn")
		}
	})
	t.Run("celesia.attack.power-attack-duration-exclusive refused", func(t *testing.T) {
		f := duel(t, fighter("a", "party", ability("strength", 13, "dexterity", 13), attacks(1), weapon(blade(0))), fighter("b", "foes", defends(40)))
		wantRefused(t, f.Try(act("a", "attack", "w", "b", withParameters("options", []string{mending.OptionPower, mending.OptionPrecision}))), cite.AttackPowerAttackDurationExclusive)
		f.Must(act("a", "attack", "w", "b", with(mending.OptionPower)), 2)
		wantRefused(t, f.Try(act("a", "attack", "w", "b", with(mending.OptionPrecision))), cite.AttackPowerAttackDurationExclusive)
	})
}

func TestTradeOffRequirements(t *testing.T) {
	all := ability("strength", 13, "dexterity", 13, "constitution", 13, "intelligence", 13)
	stance := section(func(c *eventv1.CelesiaSheet) { c.Stances = []string{"steel"} })
	for _, tc := range []struct {
		option, rule string
		w            *eventv1.CelesiaWeapon
		change       func(*eventv1.Sheet)
	}{
		{mending.OptionPower, cite.AttackPowerAttack, blade(0), ability("strength", 12)},
		{mending.OptionPower, cite.AttackPowerAttack, blade(0), attacks(0)},
		{mending.OptionPower, cite.AttackPowerAttack, longbow(0), all},
		{mending.OptionPrecision, cite.AttackPrecisionStrike, blade(0), ability("dexterity", 12)},
		{mending.OptionPrecision, cite.AttackPrecisionStrike, blade(0), attacks(0)},
		{mending.OptionDeadlyAim, cite.AttackDeadlyAim, longbow(0), ability("dexterity", 12)},
		{mending.OptionDeadlyAim, cite.AttackDeadlyAim, longbow(0), attacks(0)},
		{mending.OptionDeadlyAim, cite.AttackDeadlyAim, blade(0), all},
		{mending.OptionExpertise, cite.AttackCombatExpertise, blade(0), ability("intelligence", 12)},
		{mending.OptionExpertise, cite.AttackCombatExpertise, longbow(0), all},
		{mending.OptionMartial, cite.AttackMartialPower, blade(0), ability("constitution", 12)},
		{mending.OptionMartial, cite.AttackMartialPower, blade(0), section(func(c *eventv1.CelesiaSheet) { c.Stances = nil })},
		{mending.OptionReckless, cite.AttackRecklessOffense, blade(0), attacks(0)},
		{mending.OptionReckless, cite.AttackRecklessOffense, longbow(0), all},
		{mending.OptionRecklessAim, cite.AttackRecklessAim, blade(0), all},
	} {
		t.Run(tc.rule, func(t *testing.T) {
			f := duel(t, fighter("a", "party", all, stance, weapon(tc.w), tc.change), fighter("b", "foes", unarmed()))
			wantRefused(t, f.Try(act("a", "attack", "w", "b", with(tc.option))), tc.rule)
		})
	}
}

func TestCombatExpertise(t *testing.T) {
	smart := ability("intelligence", 14)
	for _, tc := range []struct {
		base, dv, want, penalty int32
	}{{9, 20, 29, -3}, {0, 12, 15, -1}, {4, 10, 16, -2}} {
		t.Run(cite.AttackCombatExpertise, func(t *testing.T) {
			f := duel(t, fighter("a", "party", smart, attacks(tc.base), defends(tc.dv), weapon(blade(0))), fighter("b", "foes", unarmed(), defends(60)))
			f.Must(act("a", "attack", "w", "b", with(mending.OptionExpertise)), 2)
			if got := from(f.Roll("to-hit").Modifiers, "Combat Expertise"); got != tc.penalty {
				t.Errorf("penalty %d, want %d", got, tc.penalty)
			}
			if got := strike.Defense(f.Creature("a"), false).Value; got != tc.want {
				t.Errorf("DV %d, want %d", got, tc.want)
			}
			f.End("a")
			f.End("b")
			if got := strike.Defense(f.Creature("a"), false).Value; got != tc.dv {
				t.Errorf("DV %d in the next turn, want %d", got, tc.dv)
			}
		})
	}
	t.Run("celesia.attack.combat-expertise only with the first", func(t *testing.T) {
		f := duel(t, fighter("a", "party", smart, weapon(blade(0))), fighter("b", "foes", unarmed(), defends(60)))
		f.Must(act("a", "attack", "w", "b"), 2)
		wantRefused(t, f.Try(act("a", "attack", "w", "b", with(mending.OptionExpertise))), cite.AttackCombatExpertise)
		f.End("a")
		f.End("b")
		f.Must(act("a", "attack", "w", "b", with(mending.OptionExpertise)), 2)
	})
	t.Run("celesia.attack.combat-expertise is dodging", func(t *testing.T) {
		f := duel(t, fighter("a", "party", smart, defends(15), weapon(blade(0)), section(func(c *eventv1.CelesiaSheet) { c.DefenseDexterity = 2 })), fighter("b", "foes", unarmed(), defends(60)))
		f.Must(act("a", "attack", "w", "b", with(mending.OptionExpertise)), 2)
		f.Afflict("a", body.CondFlatFooted)
		if got := strike.Defense(f.Creature("a"), false).Value; got != 13 {
			t.Errorf("flat-footed DV %d, want 13", got)
		}
	})
	t.Run(cite.AttackFightingDefensivelyCombines, func(t *testing.T) {
		f := duel(t, fighter("a", "party", smart, attacks(6), defends(18), weapon(blade(0))), fighter("b", "foes", unarmed(), defends(60)))
		f.Must(act("a", "fight-defensively", "", ""))
		f.Must(act("a", "total-defense", "", ""))
		f.Must(act("a", "attack", "w", "b", with(mending.OptionExpertise)), 12, 9)
		if r := f.Roll("to-hit"); r.Kept[0] != 9 || r.Total != 9+6-2 {
			t.Errorf("roll %v, want 9 kept at -2", r)
		}
		if got := strike.Defense(f.Creature("a"), false).Value; got != 38 {
			t.Errorf("DV %d, want 38", got)
		}
	})
	t.Run("celesia.attack.fighting-defensively-combines rounded", func(t *testing.T) {
		f := duel(t, fighter("a", "party", attacks(7), defends(10)), fighter("b", "foes", unarmed()))
		f.Must(act("a", "fight-defensively", "", ""))
		f.Must(act("a", "total-defense", "", ""))
		if got := strike.Defense(f.Creature("a"), false).Value; got != 25 {
			t.Errorf("DV %d, want 10 + 7 + 8", got)
		}
	})
}

func TestMartialPower(t *testing.T) {
	ready := func(base int32, shield bool) *eventv1.Sheet {
		return fighter("a", "party", ability("constitution", 14), attacks(base), weapon(blade(0)), hitPoints(30), section(func(c *eventv1.CelesiaSheet) {
			c.Stances = []string{"steel"}
			if shield {
				c.Things = []*eventv1.CelesiaThing{{Name: "buckler", Kind: "shield", Place: "off"}}
			}
		}))
	}
	for _, tc := range []struct {
		base          int32
		penalty, temp int32
	}{{3, -2, 4}, {4, -2, 4}, {5, -3, 6}} {
		t.Run(cite.AttackMartialPower, func(t *testing.T) { // celesia.attack.special-scaling
			f := duel(t, ready(tc.base, false), fighter("b", "foes", unarmed(), defends(60)))
			f.Must(act("a", "attack", "w", "b", with(mending.OptionMartial)), 2)
			if got := from(f.Roll("to-hit").Modifiers, "Martial Power"); got != tc.penalty || f.Creature("a").GetHpTemp() != tc.temp {
				t.Errorf("base %d: penalty %d and %d temporary hit points", tc.base, got, f.Creature("a").GetHpTemp())
			}
		})
	}
	t.Run("celesia.attack.martial-power shield", func(t *testing.T) {
		f := duel(t, ready(5, true), fighter("b", "foes", unarmed(), defends(60)))
		f.Creature("a").Items["buckler"] = &eventv1.ItemState{Place: body.PlaceOff}
		f.Must(act("a", "attack", "w", "b", with(mending.OptionMartial)), 2)
		if got := f.Creature("a").GetHpTemp(); got != 9 {
			t.Errorf("%d temporary hit points, want 9", got)
		}
		f.Medicine(hit("a", 12, ""))
		f.WantHP("a", 27)
	})
	t.Run("celesia.attack.martial-power ends", func(t *testing.T) {
		f := duel(t, ready(3, false), fighter("b", "foes", unarmed(), defends(60)))
		f.Must(act("a", "attack", "w", "b", with(mending.OptionMartial)), 2)
		f.Must(act("a", "attack", "w", "b"), 2)
		if got := from(f.Roll("to-hit").Modifiers, "Martial Power"); got != -2 {
			t.Errorf("penalty %d on the second attack, want -2", got)
		}
		wantRefused(t, f.Try(act("a", "attack", "w", "b", with(mending.OptionMartial))), cite.AttackMartialPower)
		f.End("a")
		f.End("b")
		if got := f.Creature("a").GetHpTemp(); got != 0 || body.Has(f.Creature("a"), mending.OptionMartial) {
			t.Errorf("%d temporary hit points, want 0", got)
		}
	})
	t.Run("celesia.attack.martial-power leaves others", func(t *testing.T) {
		f := duel(t, ready(3, false), fighter("b", "foes", unarmed(), defends(60)))
		temp := int32(5)
		f.Put("a", &eventv1.Vitals{HpTemp: &temp})
		f.Must(act("a", "attack", "w", "b", with(mending.OptionMartial)), 2)
		f.Medicine(hit("a", 6, "")) // 3 of the 9 are left
		f.End("a")
		f.End("b")
		if got := f.Creature("a").GetHpTemp(); got != 3 {
			t.Errorf("%d temporary hit points, want 3", got)
		}
	})
}

func TestAimsAndReckless(t *testing.T) {
	t.Run(cite.AttackDeadlyAim, func(t *testing.T) {
		f := duel(t, fighter("a", "party", ability("dexterity", 16), attacks(4), weapon(&eventv1.CelesiaWeapon{Name: "w", Kind: "projectile", Dice: "1d8", Hands: 2, RangeFeet: 100, AttackBonus: 1})),
			fighter("b", "foes", unarmed(), defends(17)))
		f.Must(act("a", "attack", "w", "b", with(mending.OptionDeadlyAim)), 11, 5) // 11 + 8 - 2 = 17; 5 + 3 + 4
		f.WantHP("b", 28)
		f.Must(act("a", "attack", "w", "b"), 2) // chosen anew for each roll
		if got := from(f.Roll("to-hit").Modifiers, "Deadly Aim"); got != 0 {
			t.Errorf("penalty %d on the next shot", got)
		}
	})
	t.Run("celesia.attack.deadly-aim touch", func(t *testing.T) {
		w := longbow(0)
		w.Touch = true
		f := duel(t, fighter("a", "party", ability("dexterity", 13), attacks(4), weapon(w)), fighter("b", "foes", unarmed(), defends(60)))
		f.Must(act("a", "attack", "w", "b", with(mending.OptionDeadlyAim)), 10, 5) // 10 + 4 + 1 - 2 = 13 against a touch DV of 10
		f.WantHP("b", 40-6)
	})
	for _, tc := range []struct {
		base, dv, plus, want int32
	}{{5, 18, 4, 16}, {0, 13, 2, 12}} {
		t.Run(cite.AttackRecklessAim, func(t *testing.T) {
			f := duel(t, fighter("a", "party", attacks(tc.base), defends(tc.dv), weapon(longbow(0))), fighter("b", "foes", unarmed(), defends(60)))
			f.Must(act("a", "attack", "w", "b", with(mending.OptionRecklessAim)), 2)
			f.Must(act("a", "attack", "w", "b", with(mending.OptionRecklessAim)), 2) // the penalty does not add up
			if got := from(f.Roll("to-hit").Modifiers, "Reckless Aim"); got != tc.plus {
				t.Errorf("bonus %d, want %d", got, tc.plus)
			}
			if got := strike.Defense(f.Creature("a"), false).Value; got != tc.want {
				t.Errorf("DV %d, want %d", got, tc.want)
			}
			f.End("a")
			f.End("b")
			if got := strike.Defense(f.Creature("a"), false).Value; got != tc.dv {
				t.Errorf("DV %d in the next turn, want %d", got, tc.dv)
			}
		})
	}
	t.Run(cite.AttackRecklessOffense, func(t *testing.T) {
		f := duel(t, fighter("a", "party", attacks(8), defends(20), weapon(&eventv1.CelesiaWeapon{Name: "w", Kind: "melee", Dice: "1d8", Hands: 1, AttackBonus: 4})), fighter("b", "foes", unarmed(), defends(60)))
		f.Must(act("a", "attack", "w", "b", with(mending.OptionReckless)), 7)
		if got := f.Roll("to-hit").Total; got != 25 {
			t.Errorf("total %d, want 25", got)
		}
		if got := strike.Defense(f.Creature("a"), false).Value; got != 17 {
			t.Errorf("DV %d, want 17", got)
		}
	})
}

// melee is a fight of archer or swordsman a against b, who is beset by p and q.
func melee(t *testing.T, w *eventv1.CelesiaWeapon, allies ...string) *table {
	t.Helper()
	f := newTable(t).add(fighter("a", "party", weapon(w)), fighter("b", "foes", unarmed()))
	f.at("a", 0, 0)
	f.at("b", 5, 0)
	faces := []int{19, 15, 10, 5}[:2+len(allies)]
	for i, id := range allies {
		f.add(fighter(id, "party"))
		f.at(id, 5, int32(5-10*i))
	}
	f.start(nil, faces...)
	return f
}

func TestRecklessMishaps(t *testing.T) {
	t.Run(cite.AttackRecklessAimNatural1, func(t *testing.T) {
		f := melee(t, longbow(2), "p", "q")
		f.Must(act("a", "attack", "w", "b", with(mending.OptionRecklessAim)), 1, 7, 2, 6) // into melee: the 1 is kept; the second of two; 6 + 2
		f.WantHP("q", 32)
		f.WantHP("p", 40)
		f.WantHP("b", 40)
	})
	t.Run("celesia.attack.reckless-aim-natural-1 nobody near", func(t *testing.T) {
		f := melee(t, longbow(2))
		f.Must(act("a", "attack", "w", "b", with(mending.OptionRecklessAim)), 1)
		if f.Attack().Outcome != "miss" {
			t.Error("want a plain miss")
		}
	})
	t.Run("celesia.attack.reckless-aim-natural-1 without the option", func(t *testing.T) {
		f := melee(t, longbow(2), "p", "q")
		f.Must(act("a", "attack", "w", "b"), 1, 7)
		f.WantHP("p", 40)
	})
	t.Run("celesia.attack.reckless-aim-natural-1 who threatens", func(t *testing.T) {
		f := melee(t, longbow(2), "p", "q")
		f.Hurt("p", -14) // adjacent, but threatening nobody
		f.Must(act("a", "attack", "w", "b", with(mending.OptionRecklessAim)), 1, 7, 6)
		f.WantHP("q", 32)
	})
	t.Run(cite.AttackRecklessOffenseNatural1, func(t *testing.T) {
		f := melee(t, blade(1), "p")
		f.Afflict("b", body.CondFlanked)
		f.Must(act("a", "attack", "w", "b", with(mending.OptionReckless)), 1, 1, 4)
		f.WantHP("p", 35)
		f.Must(act("a", "attack", "w", "b", with(mending.OptionReckless)), 1, 3) // 3 is kept
		f.WantHP("p", 35)
	})
}

func TestWeakenedAttacks(t *testing.T) {
	fiveMore := ability("strength", 16, "dexterity", 14)
	t.Run(cite.AttackWeakenedAbilityBonus, func(t *testing.T) {
		f := duel(t, fighter("a", "party", fiveMore, weapon(blade(1))), fighter("b", "foes", unarmed(), defends(15)))
		f.Must(act("a", "attack", "w", "b", withParameters("options", mending.OptionWeakened, "hold_back", 4)), 6, 6)
		f.WantHP("b", 32)
		f.Must(act("a", "attack", "w", "b", withParameters("hold_back", 90)), 6, 6) // down to 0 of it, no further
		f.WantHP("b", 32-7)
	})
	t.Run("celesia.attack.weakened-ability-bonus asked", func(t *testing.T) {
		f := duel(t, fighter("a", "party", fiveMore, weapon(blade(1))), fighter("b", "foes", unarmed(), defends(15)))
		f.Must(act("a", "attack", "w", "b", with(mending.OptionWeakened)), 6)
		if d := f.Decisions[0]; d.Name != mending.DecHoldBack || d.Creature != "a" || len(d.Options) != 6 || d.DefaultOption != "0" {
			t.Fatalf("asked %v", d)
		}
		f.Answer(mending.DecHoldBack, "4", 6)
		f.WantHP("b", 32)
	})
	t.Run("celesia.attack.weakened-ability-bonus no penalty", func(t *testing.T) {
		f := duel(t, fighter("a", "party", ability("strength", 8), weapon(blade(0))), fighter("b", "foes", unarmed(), defends(10)))
		f.Must(act("a", "attack", "w", "b", withParameters("options", mending.OptionWeakened, "hold_back", 3)), 6, 6)
		f.WantHP("b", 35) // 6 - 1
	})
	t.Run(cite.AttackWeakenedFewerDegrees, func(t *testing.T) {
		f := duel(t, fighter("a", "party", attacks(20), weapon(blade(2))), fighter("b", "foes", unarmed(), defends(14)))
		f.Must(act("a", "attack", "w", "b", with(mending.OptionWeakened)), 15) // 35 against 14: two degrees
		if d := f.Decisions[0]; d.Name != mending.DecDegrees || d.DefaultOption != "2" || len(d.Options) != 3 {
			t.Fatalf("asked %v", d)
		}
		f.Answer(mending.DecDegrees, "1", 4, 3)
		f.WantHP("b", 31)
		f.Must(act("a", "attack", "w", "b", withParameters("options", mending.OptionWeakened, "degrees", 0)), 15, 4)
		f.WantHP("b", 25)
	})
	t.Run(cite.AttackWeakenedPenalty, func(t *testing.T) {
		f := duel(t, fighter("a", "party", attacks(7), weapon(blade(5))), fighter("b", "foes", unarmed(), defends(15)))
		f.Must(act("a", "attack", "w", "b", withParameters("careful", 3)), 11, 6)
		if got := f.Roll("to-hit").Total; got != 15 {
			t.Errorf("total %d, want 15", got)
		}
		f.WantHP("b", 35)
	})
	t.Run("celesia.attack.weakened-penalty not below 0", func(t *testing.T) {
		w := &eventv1.CelesiaWeapon{Name: "w", Kind: "melee", Dice: "1d4", Hands: 1, DamageBonus: 1}
		f := duel(t, fighter("a", "party", attacks(7), weapon(w)), fighter("b", "foes", unarmed(), defends(10)))
		f.Must(act("a", "attack", "w", "b", withParameters("careful", 4)), 11, 2)
		f.WantHP("b", 40)
	})
}

func TestLunge(t *testing.T) {
	t.Run(cite.AttackLunge, func(t *testing.T) {
		f := duel(t, fighter("a", "party", attacks(6), defends(19), weapon(blade(0))), fighter("b", "foes", defends(60)))
		f.at("b", 10, 0)
		wantRefused(t, f.Try(act("a", "attack", "w", "b")), cite.AttackMeleeReach)
		f.Must(act("a", "lunge", "", ""))
		f.Must(act("a", "attack", "w", "b"), 2)
		if got := strike.Defense(f.Creature("a"), false).Value; got != 17 {
			t.Errorf("DV %d, want 17", got)
		}
		f.End("a")
		f.Must(act("b", "sheathe", "sword", ""))
		if len(f.Decisions) != 0 {
			t.Error("the longer reach ended with the turn")
		}
		if got := strike.Defense(f.Creature("a"), false).Value; got != 17 {
			t.Errorf("DV %d in the foe's turn, want 17", got)
		}
		f.End("b")
		if got := strike.Defense(f.Creature("a"), false).Value; got != 19 {
			t.Errorf("DV %d in the next turn, want 19", got)
		}
	})
	t.Run("celesia.attack.lunge reach weapon", func(t *testing.T) {
		f := duel(t, fighter("a", "party", attacks(6), weapon(&eventv1.CelesiaWeapon{Name: "w", Kind: "melee", Dice: "1d8", Hands: 2, Reach: true})), fighter("b", "foes", defends(60)))
		f.at("b", 15, 0)
		f.Must(act("a", "lunge", "", ""))
		f.Must(act("a", "attack", "w", "b"), 2)
		f.at("b", 5, 0)
		wantRefused(t, f.Try(act("a", "attack", "w", "b")), cite.AttackReachWeapon)
	})
	t.Run("celesia.attack.lunge refused", func(t *testing.T) {
		f := duel(t, fighter("a", "party", attacks(5), weapon(blade(0))), fighter("b", "foes", unarmed()))
		wantRefused(t, f.Try(act("a", "lunge", "", "")), cite.AttackLunge)
		f = duel(t, fighter("a", "party", attacks(6), weapon(blade(0))), fighter("b", "foes", unarmed(), defends(60)))
		f.Must(act("a", "attack", "w", "b"), 2)
		wantRefused(t, f.Try(act("a", "lunge", "", "")), cite.AttackLunge)
	})
}

// Each trade-off of an ability takes a score of 13 and no more; those of a base attack bonus
// take 1.
//
// celesia.attack.combat-expertise, celesia.attack.deadly-aim, celesia.attack.martial-power,
// celesia.attack.power-attack, celesia.attack.precision-strike, celesia.attack.reckless-offense
func TestWhatATradeOffTakes(t *testing.T) {
	stance := func(c *eventv1.CelesiaSheet) { c.Stances = []string{"still water"} }
	for _, c := range []struct{ option, ability string }{{mending.OptionExpertise, "intelligence"}, {mending.OptionDeadlyAim, "dexterity"},
		{mending.OptionMartial, "constitution"}, {mending.OptionPower, "strength"}, {mending.OptionPrecision, "dexterity"}} {
		o := manners.TradeOffOf(c.option)
		of := func(score int, base int32) error {
			s := fighter("x", "s", ability(c.ability, score), attacks(base), section(stance))
			f := newTable(t).add(s)
			return o.RefuseTo(f.State, f.Creature("x"))
		}
		if err := of(13, 1); err != nil {
			t.Errorf("%s with 13: %v", c.option, err)
		}
		wantRefused(t, of(12, 1), o.Rule)
		needs := c.option == mending.OptionDeadlyAim || c.option == mending.OptionPower || c.option == mending.OptionPrecision
		if err := of(13, 0); (err != nil) != needs {
			t.Errorf("%s with a base attack bonus of 0: %v", c.option, err)
		}
	}
}

// celesia.turn.three-acts: a cost in acts is that many, however many; none is free.
func TestCostsInActs(t *testing.T) {
	for n := int32(0); n <= 12; n++ {
		got := body.Acts(n)
		if n == 0 && len(got) != 0 || n > 0 && (len(got) != 1 || got[0].Counter != body.CActs || got[0].Amount != n) {
			t.Errorf("%d acts: %v", n, got)
		}
	}
}
