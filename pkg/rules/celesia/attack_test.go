package celesia

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// weapon puts one weapon first on a sheet in place of the sword.
func weapon(w *eventv1.CelesiaWeapon) func(*eventv1.Sheet) {
	return section(func(c *eventv1.CelesiaSheet) { c.Weapons[0] = w })
}

func defends(dv int32) func(*eventv1.Sheet) {
	return section(func(c *eventv1.CelesiaSheet) { c.Defense = dv })
}

func attacks(bab int32) func(*eventv1.Sheet) {
	return section(func(c *eventv1.CelesiaSheet) { c.BaseAttack = bab })
}

// Ledger cases of damage: one attack with everything given.
func TestDamage(t *testing.T) {
	long := &eventv1.CelesiaWeapon{Name: "w", Kind: "melee", Dice: "1d8", Hands: 1}
	great := &eventv1.CelesiaWeapon{Name: "w", Kind: "melee", Dice: "2d6", Hands: 2}
	off := &eventv1.CelesiaWeapon{Name: "w", Kind: "melee", Dice: "1d6", Hands: 1, Hand: "off"}
	claw := &eventv1.CelesiaWeapon{Name: "w", Kind: "natural", Dice: "1d6"}
	for _, tc := range []struct {
		rule    string
		w       *eventv1.CelesiaWeapon
		str, de int
		dv      int32
		faces   []int
		want    int32
	}{
		{cite.DamageMeleeAbilities, long, 16, 14, 20, []int{12, 4}, 9},
		{"celesia.damage.melee-abilities penalty", long, 16, 8, 20, []int{14, 4}, 6},
		{cite.DamageTwoHanded, great, 18, 14, 20, []int{12, 3, 5}, 17},
		{"celesia.damage.two-handed rounded", great, 16, 12, 20, []int{13, 3, 5}, 13},
		{"celesia.damage.two-handed penalty", great, 18, 6, 20, []int{15, 3, 5}, 12},
		{"celesia.damage.two-handed small", &eventv1.CelesiaWeapon{Name: "w", Kind: "melee", Dice: "1d8", Hands: 1, Hand: "both", Small: true}, 18, 14, 20, []int{12, 5}, 11},
		{cite.DamageTwoHandTrait, &eventv1.CelesiaWeapon{Name: "w", Kind: "melee", Dice: "1d10", TwoHandDice: "1d12", Hands: 1, Hand: "both"}, 14, 14, 15, []int{12, 9}, 15},
		{cite.DamageLightTwoHands, &eventv1.CelesiaWeapon{Name: "w", Kind: "melee", Dice: "1d6", Hands: 1, Hand: "both", Light: true}, 18, 14, 20, []int{12, 6}, 12},
		{cite.DamageOffHand, off, 18, 14, 20, []int{12, 3}, 6},
		{"celesia.damage.off-hand rounded", off, 16, 16, 20, []int{12, 3}, 5},
		{"celesia.damage.off-hand penalty", off, 6, 18, 15, []int{12, 5}, 5},
		{cite.DamageNaturalMelee, claw, 18, 14, 20, []int{12, 2}, 11},
		{"celesia.damage.natural-melee penalty", &eventv1.CelesiaWeapon{Name: "w", Kind: "natural", Dice: "1d8"}, 20, 8, 20, []int{12, 6}, 12},
		{cite.DamageDegreesWeapon, &eventv1.CelesiaWeapon{Name: "w", Kind: "melee", Dice: "1d8", Hands: 1, DamageBonus: 4, AttackBonus: 10}, 10, 10, 15, []int{12, 5, 7}, 16},
		{"celesia.damage.degrees-weapon margin 9", &eventv1.CelesiaWeapon{Name: "w", Kind: "melee", Dice: "1d8", Hands: 1, AttackBonus: 10}, 10, 10, 15, []int{9, 5}, 5},
		{"celesia.damage.degrees-weapon flaming", &eventv1.CelesiaWeapon{Name: "w", Kind: "melee", Dice: "2d6", Hands: 1, DamageBonus: 6, AttackBonus: 14,
			Extra: []*eventv1.CelesiaDice{{Dice: "1d6", Type: "fire"}}}, 10, 10, 18, []int{19, 2, 5, 4, 4, 1, 6, 3}, 31},
		{cite.CriticalDamage, &eventv1.CelesiaWeapon{Name: "w", Kind: "melee", Dice: "1d8", Hands: 1, DamageBonus: 5}, 10, 10, 20, []int{20}, 21},
		{"celesia.critical.damage x3", &eventv1.CelesiaWeapon{Name: "w", Kind: "melee", Dice: "1d12", Hands: 1, Multiplier: 3, DamageBonus: 9}, 10, 10, 20, []int{20}, 45},
		{"celesia.critical.damage negative", &eventv1.CelesiaWeapon{Name: "w", Kind: "melee", Dice: "2d6", Hands: 1, DamageBonus: -1}, 10, 10, 20, []int{20}, 23},
		{cite.CriticalExtrasMaximised, &eventv1.CelesiaWeapon{Name: "w", Kind: "melee", Dice: "2d6", Hands: 1, DamageBonus: 6,
			Extra: []*eventv1.CelesiaDice{{Dice: "2d6", Type: "vital"}}}, 10, 10, 20, []int{20}, 42},
		{cite.CriticalDegreeDice, &eventv1.CelesiaWeapon{Name: "w", Kind: "melee", Dice: "2d6", Hands: 1, DamageBonus: 6, AttackBonus: 11}, 10, 10, 15, []int{20, 3, 4, 6, 1}, 44},
		{"celesia.critical.degree-dice dagger", &eventv1.CelesiaWeapon{Name: "w", Kind: "melee", Dice: "1d4", Hands: 1, DamageBonus: 2, AttackBonus: 4}, 10, 10, 19, []int{20, 3}, 13},
	} {
		t.Run(tc.rule, func(t *testing.T) {
			f := duel(t, fighter("a", "party", weapon(tc.w), ability("strength", tc.str, "dexterity", tc.de), section(func(c *eventv1.CelesiaSheet) { c.InitiativeBonus = 20 })),
				fighter("b", "foes", defends(tc.dv), hitPoints(400)))
			f.Must(act("a", "attack", "w", "b"), tc.faces...)
			f.WantHP("b", 400-tc.want)
		})
	}
	t.Run("celesia.critical.extras-maximised precision", func(t *testing.T) {
		rapier := &eventv1.CelesiaWeapon{Name: "w", Kind: "melee", Dice: "1d6", Hands: 1, DamageBonus: 4, Extra: []*eventv1.CelesiaDice{{Dice: "1d6", Type: "fire"}}}
		f := duel(t, fighter("a", "party", weapon(rapier), section(func(c *eventv1.CelesiaSheet) { c.PrecisionDice = "2d6" })), fighter("b", "foes", defends(20), hitPoints(100)))
		f.Must(act("a", "attack", "w", "b", withFacts("precision", true)), 20)
		f.WantHP("b", 100-34)
	})
}

func TestThreat(t *testing.T) {
	for _, tc := range []struct {
		rule   string
		w      *eventv1.CelesiaWeapon
		bab    int32
		dv     int32
		shaken bool
		faces  []int
		want   string
	}{
		{cite.CriticalThreat, &eventv1.CelesiaWeapon{Name: "w", Kind: "melee", Dice: "1d8", Hands: 1}, 5, 20, false, []int{20}, "critical"},
		{"celesia.critical.threat disadvantage", &eventv1.CelesiaWeapon{Name: "w", Kind: "melee", Dice: "1d8", Hands: 1}, 5, 20, true, []int{20, 15, 4}, "hit"},
		{"celesia.critical.threat miss", &eventv1.CelesiaWeapon{Name: "w", Kind: "melee", Dice: "1d8", Hands: 1, Threat: 18}, 3, 24, false, []int{19}, "miss"},
		{cite.DiceDisadvantage, &eventv1.CelesiaWeapon{Name: "w", Kind: "melee", Dice: "1d8", Hands: 1}, 5, 15, true, []int{20, 9}, "miss"},
		{cite.AttackMeleeBonus, &eventv1.CelesiaWeapon{Name: "w", Kind: "melee", Dice: "1d8", Hands: 1}, 12, 20, false, []int{8, 1}, "hit"},
	} {
		t.Run(tc.rule, func(t *testing.T) {
			f := duel(t, fighter("a", "party", weapon(tc.w), attacks(tc.bab)), fighter("b", "foes", defends(tc.dv)))
			if tc.shaken {
				f.Afflict("a", body.CondShaken)
			}
			f.Must(act("a", "attack", "w", "b"), tc.faces...)
			if got := f.Attack().Outcome; got != tc.want {
				t.Errorf("%s, want %s", got, tc.want)
			}
		})
	}
}

func TestRangedAndReach(t *testing.T) {
	t.Run(cite.AttackRangedBonus, func(t *testing.T) {
		bow := &eventv1.CelesiaWeapon{Name: "w", Kind: "projectile", Dice: "1d6", Hands: 2, RangeFeet: 60}
		f := duel(t, fighter("a", "party", weapon(bow), ability("dexterity", 16, "wisdom", 14)), fighter("b", "foes", defends(18), section(func(c *eventv1.CelesiaSheet) { c.Weapons = nil })))
		f.Must(act("a", "attack", "w", "b", withFacts("distance", 30)), 8, 2)
		if f.Attack().Outcome != "hit" {
			t.Error("8 + 10 = 18 hits")
		}
		f.WantHP("b", 40-7) // celesia.damage.projectile: 2 + Dexterity 3 + Wisdom 2
	})
	t.Run("celesia.attack.ranged-bonus thrown", func(t *testing.T) {
		javelin := &eventv1.CelesiaWeapon{Name: "w", Kind: "thrown", Dice: "1d6", Hands: 1, RangeFeet: 30, RangePenalty: 2}
		f := duel(t, fighter("a", "party", weapon(javelin), attacks(3), ability("strength", 14, "dexterity", 12, "wisdom", 8)), fighter("b", "foes", section(func(c *eventv1.CelesiaSheet) { c.Weapons = nil })))
		f.Must(act("a", "attack", "w", "b", withFacts("distance", 40)), 11)
		if got := f.Roll("to-hit").Total; got != 14 {
			t.Errorf("total %d, want 14", got)
		}
		if f.Creature("a").Items["w"].Place != body.PlaceDropped {
			t.Error("a thrown weapon leaves the hand")
		}
		wantRefused(t, f.Try(act("a", "attack", "w", "b")), cite.EquipmentDrawSheathe)
	})
	t.Run(cite.AttackReachWeapon, func(t *testing.T) {
		glaive := &eventv1.CelesiaWeapon{Name: "w", Kind: "melee", Dice: "1d10", Hands: 2, Reach: true}
		f := duel(t, fighter("a", "party", weapon(glaive)), fighter("b", "foes"))
		wantRefused(t, f.Try(act("a", "attack", "w", "b")), cite.AttackReachWeapon)
		f.at("b", 10, 0)
		f.Must(act("a", "attack", "w", "b"), 2)
		f.at("b", 15, 0)
		wantRefused(t, f.Try(act("a", "attack", "w", "b")), cite.AttackReachWeapon)
	})
	t.Run(cite.AttackMeleeReach, func(t *testing.T) {
		f := duel(t, fighter("a", "party"), fighter("b", "foes"))
		f.at("b", 10, 0)
		wantRefused(t, f.Try(act("a", "attack", "sword", "b")), cite.AttackMeleeReach)
	})
	t.Run(cite.AttackNaturalLimbs, func(t *testing.T) {
		claws := section(func(c *eventv1.CelesiaSheet) {
			c.Weapons = append(c.Weapons, &eventv1.CelesiaWeapon{Name: "right claw", Kind: "natural", Dice: "1d4", Limb: "right-hand"},
				&eventv1.CelesiaWeapon{Name: "bite", Kind: "natural", Dice: "1d4", Limb: "mouth"})
		})
		f := duel(t, fighter("a", "party", claws), fighter("b", "foes"))
		f.Must(act("a", "attack", "sword", "b"), 2)
		wantRefused(t, f.Try(act("a", "attack", "right claw", "b")), cite.AttackNaturalLimbs)
		f.Must(act("a", "attack", "bite", "b"), 2)
	})
	t.Run(cite.AttackIntoMelee, func(t *testing.T) {
		bow := &eventv1.CelesiaWeapon{Name: "w", Kind: "projectile", Dice: "1d6", Hands: 2, RangeFeet: 60}
		for _, tc := range []struct {
			x     int32
			faces []int
			feats []string
		}{{25, []int{3, 2}, nil}, {25, []int{3}, []string{body.FeatPreciseShot}}, {35, []int{3}, nil}} { // celesia.feat.precise-shot, celesia.attack.into-melee-distance
			f := newTable(t).add(fighter("a", "party", weapon(bow), features(tc.feats...)), fighter("b", "foes"), fighter("c", "party"))
			f.at("a", 0, 0)
			f.at("b", 20, 0)
			f.at("c", tc.x, 0)
			f.start(nil, 15, 5, 4)
			f.Must(act("a", "attack", "w", "b"), tc.faces...)
		}
	})
	t.Run(cite.AttackSteadyAim, func(t *testing.T) {
		bow := &eventv1.CelesiaWeapon{Name: "w", Kind: "projectile", Dice: "1d6", Hands: 2, RangeFeet: 60}
		f := newTable(t).add(fighter("a", "party", weapon(bow)), fighter("b", "foes", defends(18))).start(nil, 15, 5)
		f.Must(act("a", "steady-aim", "", ""))
		f.Must(act("a", "steady-aim", "", ""))
		f.Must(act("a", "attack", "w", "b"), 5, 1)
		if f.Attack().Outcome != "hit" || f.Creature("a").Counters[body.CAim] != 0 {
			t.Error("5 + 5 + 8 = 18 hits, and only this shot")
		}
		f.End("a")
		f.End("b")
		f.Must(act("a", "steady-aim", "", ""))
		f.Must(act("a", "step", "", ""))
		f.Must(act("a", "attack", "w", "b"), 9)
		if got := f.Roll("to-hit").Total; got != 14 {
			t.Errorf("total %d, want 14: the aim was lost", got)
		}
	})
}

func TestNatureOfDamage(t *testing.T) {
	fist := func(feats ...string) *table {
		return duel(t, fighter("a", "party", attacks(6), features(feats...)), fighter("b", "foes", section(func(c *eventv1.CelesiaSheet) { c.Weapons = nil })))
	}
	lethal := withParameters("damage", "lethal")
	t.Run(cite.DamageUnarmedLethal, func(t *testing.T) {
		f := fist()
		f.Must(act("a", "attack", "fist", "b", lethal), 12, 9, 2)
		f.WantHP("b", 38)
	})
	t.Run("celesia.damage.unarmed-lethal penalty", func(t *testing.T) {
		f := duel(t, fighter("a", "party", attacks(6)), fighter("b", "foes", section(func(c *eventv1.CelesiaSheet) { c.Weapons = nil })), body.SetLethalUnarmed+"=penalty")
		f.Must(act("a", "attack", "fist", "b", lethal), 12)
		if f.Roll("to-hit").Total != 14 || f.Attack().Outcome != "miss" {
			t.Error("12 + 6 - 4 = 14 misses")
		}
	})
	t.Run(cite.AttackLethalWithNonlethalWeapon, func(t *testing.T) {
		f := fist(body.FeatImprovedUnarmed)
		f.Must(act("a", "attack", "fist", "b", lethal), 12, 2)
		f.WantHP("b", 38)
	})
	t.Run(cite.DamageUnarmed, func(t *testing.T) {
		f := fist()
		f.Must(act("a", "attack", "fist", "b"), 12, 2)
		if f.WantHP("b", 40); f.Creature("b").Counters[body.CNonlethal] != 2 {
			t.Errorf("tally %d, want 2", f.Creature("b").Counters[body.CNonlethal])
		}
	})
	t.Run(cite.AttackNonlethalWithLethalWeapon, func(t *testing.T) {
		f := duel(t, fighter("a", "party", attacks(8), weapon(&eventv1.CelesiaWeapon{Name: "w", Kind: "melee", Dice: "1d8", Hands: 1, DamageBonus: 4})), fighter("b", "foes", defends(16)))
		f.Must(act("a", "attack", "w", "b", withParameters("damage", "nonlethal")), 17, 9, 3)
		if f.WantHP("b", 40); f.Creature("b").Counters[body.CNonlethal] != 7 {
			t.Errorf("tally %d, want 7", f.Creature("b").Counters[body.CNonlethal])
		}
		f.Afflict("b", body.CondFlanked)
		f.Must(act("a", "attack", "w", "b", withParameters("damage", "nonlethal")), 2)
	})
}

func TestDefenses(t *testing.T) {
	for _, tc := range []struct {
		rule string
		bab  int32
		want int32
	}{{cite.ActionTotalDefense, 6, 24}, {"celesia.action.total-defense rounded", 5, 23}, {"celesia.action.total-defense none", 0, 21}} {
		t.Run(tc.rule, func(t *testing.T) {
			f := duel(t, fighter("a", "party", attacks(tc.bab), defends(16)), fighter("b", "foes"))
			f.Must(act("a", "total-defense", "", ""))
			if got := strike.Defense(f.Creature("a"), false).Value; got != tc.want {
				t.Errorf("DV %d, want %d", got, tc.want)
			}
			f.End("a")
			f.Must(act("b", "sheathe", "sword", ""))
			if len(f.Decisions) != 0 {
				t.Error("celesia.action.total-defense-no-aoo: asked all the same")
			}
			f.End("b")
			if got := strike.Defense(f.Creature("a"), false).Value; got != 16 {
				t.Errorf("DV %d in the next turn, want 16", got)
			}
		})
	}
	t.Run(cite.AttackFightingDefensively, func(t *testing.T) {
		f := duel(t, fighter("a", "party", attacks(6), defends(18)), fighter("b", "foes", defends(17)))
		f.Must(act("a", "fight-defensively", "", ""))
		f.Must(act("a", "attack", "sword", "b"), 15, 6)
		if f.Attack().Outcome != "miss" || strike.Defense(f.Creature("a"), false).Value != 24 {
			t.Error("want a miss and DV 24")
		}
		f.End("a")
		f.End("b")
		f.Must(act("a", "attack", "sword", "b"), 2)
		wantRefused(t, f.Try(act("a", "fight-defensively", "", "")), cite.AttackFightingDefensively)
	})
	t.Run(cite.ActionTotalDefenseCombine, func(t *testing.T) {
		f := duel(t, fighter("a", "party", attacks(6), defends(16)), fighter("b", "foes"))
		f.Must(act("a", "fight-defensively", "", ""))
		f.Must(act("a", "total-defense", "", ""))
		f.Must(act("a", "attack", "sword", "b"), 17, 6)
		if strike.Defense(f.Creature("a"), false).Value != 30 || f.Roll("to-hit").Kept[0] != 6 {
			t.Error("want DV 30 and the lower face")
		}
	})
}

func TestCoupDeGrace(t *testing.T) {
	pick := &eventv1.CelesiaWeapon{Name: "w", Kind: "melee", Dice: "1d6", Hands: 1, Multiplier: 4, DamageBonus: 3}
	t.Run(cite.AttackCoupAutoCritical, func(t *testing.T) {
		f := duel(t, fighter("a", "party", weapon(pick)), fighter("b", "foes"))
		f.Afflict("b", body.CondHelpless)
		f.Must(act("a", "coup-de-grace", "w", "b"), 20)
		f.WantHP("b", 40-27)
		f.WantLife("b", eventv1.LifeStatus_LIFE_STATUS_DEAD) // celesia.death.coup-save: 20 against DC 37
	})
	t.Run(cite.AttackCoupEligibility, func(t *testing.T) {
		f := duel(t, fighter("a", "party", weapon(pick)), fighter("b", "foes"))
		wantRefused(t, f.Try(act("a", "coup-de-grace", "w", "b")), cite.AttackCoupEligibility)
	})
	t.Run("celesia.death.coup-save made", func(t *testing.T) {
		f := duel(t, fighter("a", "party"), fighter("b", "foes", section(func(c *eventv1.CelesiaSheet) { c.Fortitude = 19 })))
		f.Afflict("b", body.CondHelpless)
		f.Must(act("a", "coup-de-grace", "sword", "b"), 7) // 16 damage, DC 26
		f.WantLife("b", eventv1.LifeStatus_LIFE_STATUS_ALIVE)
	})
}

func TestOptionalRulesOfAttacks(t *testing.T) {
	long := weapon(&eventv1.CelesiaWeapon{Name: "w", Kind: "melee", Dice: "1d8", Hands: 1, DamageBonus: 5})
	t.Run(cite.CriticalDeckNormal, func(t *testing.T) {
		for setting, hp := range map[string]int32{"on": 40 - 13, "off": 40 - 21} {
			f := duel(t, fighter("a", "party", long), fighter("b", "foes", defends(20)), body.OptDeck+"="+setting)
			f.Must(act("a", "attack", "w", "b", withFacts("deck", "normal")), 20)
			f.WantHP("b", hp)
		}
	})
	t.Run("celesia.setting.natural-1-and-20", func(t *testing.T) {
		for setting, want := range map[string]string{"on": "critical", "off": "miss"} {
			f := duel(t, fighter("a", "party", long), fighter("b", "foes", defends(40)), body.SetNaturalFaces+"="+setting)
			f.Must(act("a", "attack", "w", "b"), 20)
			if got := f.Attack().Outcome; got != want {
				t.Errorf("%s: %s, want %s", setting, got, want)
			}
		}
	})
	t.Run(cite.AttackCoupCritImmune, func(t *testing.T) {
		f := duel(t, fighter("a", "party", long), fighter("b", "foes", immuneTo(body.ImmuneCritical)))
		f.Afflict("b", body.CondHelpless)
		wantRefused(t, f.Try(act("a", "coup-de-grace", "w", "b")), cite.AttackCoupCritImmune)
	})
	t.Run(cite.AttackCoupNonlethal, func(t *testing.T) {
		f := duel(t, fighter("a", "party", weapon(&eventv1.CelesiaWeapon{Name: "w", Kind: "melee", Dice: "1d6", Hands: 1, Nonlethal: true, DamageBonus: 6})),
			fighter("b", "foes", hitPoints(24), fortitude(7)))
		f.Afflict("b", body.CondPinned)
		f.Must(act("a", "coup-de-grace", "w", "b"), 14) // 18 nonlethal; 21 against DC 28
		f.WantHP("b", 24)
		if c := f.Creature("b"); c.Counters[body.CNonlethal] != 18 || !body.Has(c, body.CondUnconscious) || body.Dead(c) {
			t.Errorf("tally %d, conditions %v", c.Counters[body.CNonlethal], c.Conditions)
		}
	})
	t.Run(cite.RestTendedStableRecovery, func(t *testing.T) {
		for setting, want := range map[string]string{"on": rules.Yes, "off": ""} {
			f := newTable(t, body.OptTended+"="+setting).add(fighter("p", "party"))
			f.Hurt("p", -20)
			f.Medicine(&eventv1.Harm{Deed: body.DeedHeal, Target: "p", Amount: 1})
			if got := f.Creature("p").Marks[body.MTended]; got != want {
				t.Errorf("%s: tended %q, want %q", setting, got, want)
			}
		}
	})
	t.Run(cite.DeathUntendedStableDanger, func(t *testing.T) {
		f := newTable(t, body.OptUntended+"=on").add(fighter("p", "party"))
		f.Hurt("p", -13)
		f.Medicine(&eventv1.Harm{Deed: body.DeedTurnStart, Target: "p"}, 20)
		for _, e := range f.Events {
			if e.GetNote() != nil && e.Rules[0] == body.OptUntended {
				return
			}
		}
		t.Error("no warning")
	})
}
