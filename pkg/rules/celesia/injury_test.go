package celesia

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/injury"
	"github.com/skaldrpg/skald/pkg/rules/celesia/mending"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

const (
	alive   = eventv1.LifeStatus_LIFE_STATUS_ALIVE
	limping = eventv1.LifeStatus_LIFE_STATUS_DISABLED
	bleeds  = eventv1.LifeStatus_LIFE_STATUS_DYING
	stable  = eventv1.LifeStatus_LIFE_STATUS_STABLE
	out     = eventv1.LifeStatus_LIFE_STATUS_UNCONSCIOUS
	gone    = eventv1.LifeStatus_LIFE_STATUS_DEAD
)

// patient is one creature in no fight, at hit points hp of most.
func patient(t *testing.T, most, hp int32, change ...func(*eventv1.Sheet)) *table {
	t.Helper()
	f := newTable(t).add(fighter("p", "party", append([]func(*eventv1.Sheet){hitPoints(most)}, change...)...))
	if hp != most {
		f.Hurt("p", hp)
	}
	return f
}

func con(n int) func(*eventv1.Sheet) { return ability("constitution", n) }

func fortitude(n int32) func(*eventv1.Sheet) {
	return section(func(c *eventv1.CelesiaSheet) { c.Fortitude = n })
}

func immuneTo(what ...string) func(*eventv1.Sheet) {
	return section(func(c *eventv1.CelesiaSheet) { c.Immunities = what })
}

func TestBands(t *testing.T) {
	// celesia.injury.hp-bands, celesia.death.dead-threshold
	for _, tc := range []struct {
		con, hp int32
		want    eventv1.LifeStatus
	}{{12, 1, alive}, {12, 0, limping}, {12, -11, limping}, {12, -12, bleeds}, {12, -23, bleeds}, {12, -24, gone}, {9, -9, bleeds}, {9, -18, gone}, {10, -19, bleeds}, {10, -20, gone}} {
		if got := mending.Band(tc.hp, tc.con, true); got != tc.want {
			t.Errorf("Con %d at %d: %v, want %v", tc.con, tc.hp, got, tc.want)
		}
	}
	if mending.Band(0, 0, false) != gone || mending.Band(1, 0, false) != alive {
		t.Error("without a Constitution score 0 hit points destroy")
	}
	t.Run(cite.DeathConstitutionZero, func(t *testing.T) {
		f := patient(t, 30, 30, con(4))
		f.Medicine(&eventv1.Harm{Deed: mending.DeedConstitution, Target: "p", Amount: 4})
		f.WantLife("p", gone)
		f = patient(t, 30, -11)
		f.Medicine(&eventv1.Harm{Deed: mending.DeedConstitution, Target: "p", Amount: 2})
		f.WantLife("p", bleeds)
	})
	t.Run(cite.DeathRaisedByMagic, func(t *testing.T) {
		f := patient(t, 30, -26)
		f.WantLife("p", gone)
		f.Medicine(&eventv1.Harm{Deed: body.DeedHeal, Target: "p", Amount: 20})
		f.WantHP("p", -26)
	})
}

func TestStrain(t *testing.T) {
	t.Run(cite.InjuryDisabledStrain, func(t *testing.T) {
		f := duel(t, fighter("a", "party"), fighter("b", "foes", unarmed()))
		f.Hurt("a", 0)
		f.Must(act("a", "move", "", ""))
		f.WantHP("a", -1)
		f.Must(act("a", "attack", "sword", "b"), 2)
		f.WantHP("a", -2)
	})
	t.Run("celesia.injury.disabled-strain two acts", func(t *testing.T) {
		f := duel(t, fighter("a", "party", con(10)), fighter("b", "foes", unarmed()))
		f.Hurt("a", -8)
		f.Must(act("a", "total-defense", "", ""))
		f.WantHP("a", -10)
		f.WantLife("a", bleeds)
		f.WantActive("b")
	})
	t.Run("celesia.injury.disabled-strain free actions", func(t *testing.T) {
		f := duel(t, fighter("a", "party"), fighter("b", "foes", unarmed()))
		f.Hurt("a", -2)
		f.Must(act("a", "drop-item", "sword", ""))
		f.WantHP("a", -2)
	})
	for _, tc := range []struct { // celesia.injury.disabled-to-dying
		hp   int32
		want eventv1.LifeStatus
	}{{-13, bleeds}, {-12, limping}} {
		f := patient(t, 40, tc.hp, con(14))
		f.Medicine(&eventv1.Harm{Deed: body.DeedStrain, Target: "p", Amount: 1})
		f.WantLife("p", tc.want)
	}
}

func TestStabilise(t *testing.T) {
	for _, tc := range []struct {
		rule  string
		con   int
		hp    int32
		fort  int32
		bleed int64
		faces []int
		want  eventv1.LifeStatus
		at    int32
	}{
		{cite.DeathStabilizeSave, 12, -13, 4, 0, []int{2}, stable, -13},
		{"celesia.death.stabilize-save fails", 12, -15, 4, 0, []int{2}, bleeds, -16},
		{"celesia.death.stabilize-save natural 20", 20, -39, -2, 0, []int{20}, stable, -39},
		{"celesia.death.stabilize-save natural 1", 12, -13, 9, 0, []int{1}, stable, -13},
		{"celesia.death.stabilize-failure-loss kills", 12, -23, 3, 0, []int{7}, gone, -24},
		{cite.DeathStabilizeFailureLoss, 12, -22, 3, 0, []int{7}, bleeds, -23},
	} {
		t.Run(tc.rule, func(t *testing.T) {
			f := patient(t, 40, tc.hp, con(tc.con), fortitude(tc.fort))
			f.Medicine(&eventv1.Harm{Deed: body.DeedTurnStart, Target: "p"}, tc.faces...)
			f.WantLife("p", tc.want)
			f.WantHP("p", tc.at)
		})
	}
	t.Run(cite.DeathStabilizeContinuousDamage, func(t *testing.T) {
		f := patient(t, 40, -13)
		f.Count("p", body.CBleed, 2)
		f.Medicine(&eventv1.Harm{Deed: body.DeedTurnStart, Target: "p"})
		f.Choose("none")
		f.WantHP("p", -16)
	})
	t.Run(cite.DeathStableBrokenByDamage, func(t *testing.T) {
		f := patient(t, 40, -14, fortitude(4))
		f.Medicine(&eventv1.Harm{Deed: body.DeedTurnStart, Target: "p"}, 20)
		f.WantLife("p", stable)
		f.Medicine(hit("p", 3, ""))
		f.Choose("none")
		f.WantLife("p", bleeds)
		f.Medicine(&eventv1.Harm{Deed: body.DeedTurnStart, Target: "p"}, 6) // 6 + 4 - 8 = 2
		f.WantLife("p", stable)
		f.WantHP("p", -17)
		f.Medicine(hit("p", 5, body.NatureNonlethal))
		f.WantLife("p", bleeds)
	})
	t.Run(cite.DeathDyingLoss, func(t *testing.T) {
		f := patient(t, 40, -20)
		for _, hp := range []int32{-21, -22, -23, -24} {
			f.Medicine(&eventv1.Harm{Deed: body.DeedTurnStart, Target: "p"}, 2)
			f.WantHP("p", hp)
		}
		f.WantLife("p", gone)
	})
	t.Run(cite.HealingHealCheckStabilizes, func(t *testing.T) {
		for hp, want := range map[int32]eventv1.LifeStatus{-14: stable, -15: bleeds} {
			f := patient(t, 40, hp).add(fighter("h", "party", section(func(c *eventv1.CelesiaSheet) { c.Skills = map[string]int32{"heal": 9} })))
			f.Medicine(&eventv1.Harm{Deed: body.DeedFirstAid, Target: "p", Source: "h"}, 15)
			f.WantLife("p", want)
			f.WantHP("p", hp)
		}
	})
}

func TestHealing(t *testing.T) {
	for _, tc := range []struct {
		rule       string
		hp, amount int32
		at         int32
		want       eventv1.LifeStatus
	}{
		{cite.HealingAnyCureStabilizes, -20, 1, -19, stable},
		{cite.HealingIntoDisabledBand, -20, 8, -12, stable},
		{"celesia.healing.into-disabled-band conscious", -20, 9, -11, limping},
		{"celesia.healing.into-disabled-band to 0", -20, 20, 0, limping},
		{"celesia.healing.into-disabled-band functional", -20, 21, 1, alive},
		{cite.HealingAboveZeroRestores, -4, 5, 1, alive},
		{"celesia.healing.above-zero-restores not", -4, 4, 0, limping},
		{cite.InjuryDisabledWhileRecovering, -15, 6, -9, limping},
	} {
		t.Run(tc.rule, func(t *testing.T) {
			f := patient(t, 40, tc.hp)
			f.Medicine(&eventv1.Harm{Deed: body.DeedHeal, Target: "p", Amount: tc.amount})
			f.WantHP("p", tc.at)
			f.WantLife("p", tc.want)
		})
	}
	t.Run("celesia.healing.any-cure-stabilizes bleeding", func(t *testing.T) {
		f := patient(t, 40, -20)
		f.Count("p", body.CBleed, 2)
		f.Medicine(&eventv1.Harm{Deed: body.DeedHeal, Target: "p", Amount: 1})
		f.WantLife("p", stable)
		f.Medicine(hit("p", 2, "")) // the tick of the bleed
		f.Choose("none")
		f.WantHP("p", -21)
		f.WantLife("p", bleeds)
	})
	t.Run(cite.HealingNonlethalWithCures, func(t *testing.T) {
		for _, tc := range []struct{ hp, tally, burn, hpWant, want int }{{12, 9, 0, 18, 3}, {18, 9, 0, 20, 3}, {12, 0, 9, 18, 0}} {
			f := patient(t, 20, int32(tc.hp))
			f.Count("p", body.CNonlethal, tc.tally, body.CBurn, tc.burn)
			f.Medicine(&eventv1.Harm{Deed: body.DeedHeal, Target: "p", Amount: 6})
			f.WantHP("p", int32(tc.hpWant))
			if c := f.Creature("p").Counters; c[body.CNonlethal] != int64(tc.want) || c[body.CBurn] != int64(tc.burn) {
				t.Errorf("tallies %v", c)
			}
		}
	})
}

func TestCripplingChoice(t *testing.T) {
	for _, tc := range []struct {
		rule       string
		con        int
		hp, damage int32
		choice     string
		at         int32
		want       eventv1.LifeStatus
	}{
		{cite.InjuryCripplingChoice, 12, 12, 20, "finger:left", 7, alive},
		{"celesia.injury.crippling-choice at 0", 12, 12, 12, "scar", 5, alive},
		{"celesia.injury.crippling-choice disabled", 12, -3, 10, "major-scar", -3, limping},
		{cite.InjuryCripplingOnePerAttack, 14, 4, 49, "arm:left", -5, limping},
		{cite.InjuryCripplingPickAndExcess, 12, 6, 9, "hand:right", 6, alive},
		{"celesia.injury.crippling-pick-and-excess rest", 12, 6, 9, "scar", 2, alive},
	} {
		t.Run(tc.rule, func(t *testing.T) {
			f := patient(t, 120, tc.hp, con(tc.con))
			f.Medicine(hit("p", tc.damage, ""))
			f.Choose(tc.choice)
			f.WantHP("p", tc.at)
			f.WantLife("p", tc.want)
			if n := injury.Crippled(nil, f.Creature("p")); n != 1 {
				t.Errorf("%d injuries", n)
			}
		})
	}
	t.Run("celesia.injury.crippling-choice not offered", func(t *testing.T) {
		f := patient(t, 40, 12)
		f.Medicine(hit("p", 11, ""))
		f.WantHP("p", 1)
	})
	t.Run(cite.InjuryCripplingCritImmune, func(t *testing.T) {
		f := patient(t, 40, 5, immuneTo(body.ImmuneCritical))
		f.Medicine(hit("p", 8, ""))
		f.WantHP("p", -3)
	})
	t.Run(cite.InjuryCripplingCap, func(t *testing.T) {
		for n, offered := range map[int]bool{9: true, 10: false} {
			f := patient(t, 40, 5, con(10))
			v := &eventv1.Vitals{}
			for i := 0; i < n; i++ {
				v.Injuries = append(v.Injuries, &eventv1.Injury{Kind: "scar"})
			}
			f.Put("p", v)
			f.Medicine(hit("p", 8, ""))
			if (len(f.Decisions) == 1) != offered {
				t.Errorf("%d injuries: offered %v", n, len(f.Decisions) == 1)
			}
		}
	})
	t.Run(cite.InjuryHandSevered, func(t *testing.T) {
		f := patient(t, 40, 8)
		f.Put("p", &eventv1.Vitals{Injuries: []*eventv1.Injury{{Kind: "hand", Side: "left"}, {Kind: "hand", Side: "right"}}})
		f.Medicine(hit("p", 30, ""))
		f.Choose("hand:left")
		f.WantHP("p", 3)
		if f.Creature("p").Counters[body.CBleed] != 1 {
			t.Error("want 1 bleed")
		}
		f.Medicine(&eventv1.Harm{Deed: body.DeedTurnStart, Target: "p"})
		f.WantHP("p", 2)
	})
	t.Run(cite.InjuryArmSevered, func(t *testing.T) {
		f := patient(t, 40, 5)
		f.Put("p", &eventv1.Vitals{Injuries: []*eventv1.Injury{{Kind: "arm", Side: "left"}, {Kind: "arm", Side: "right"}}})
		f.Medicine(hit("p", 41, ""))
		f.Choose("arm:right")
		f.WantHP("p", 4)
		if f.Creature("p").Counters[body.CBleed] != 2 {
			t.Error("want 2 bleed")
		}
	})
	t.Run(cite.InjuryHand, func(t *testing.T) {
		f := patient(t, 40, 5, weapon(&eventv1.CelesiaWeapon{Name: "greatsword", Kind: "melee", Dice: "2d6", Hands: 2}))
		f.Medicine(hit("p", 9, ""))
		f.Choose("hand:right")
		if f.Creature("p").Items["greatsword"].Place != body.PlaceDropped || strike.UsableHands(f.Creature("p")) != 1 {
			t.Error("what the hand held is dropped, one hand is left")
		}
	})
	t.Run(cite.InjuryEye, func(t *testing.T) {
		f := patient(t, 40, 5)
		for _, side := range []string{"left", "right"} {
			f.Medicine(hit("p", 9, ""))
			f.Choose("eye:" + side)
		}
		if !body.Has(f.Creature("p"), body.CondBlind) {
			t.Error("blind with both eyes lost")
		}
	})
	t.Run(cite.InjuryHeadLadder, func(t *testing.T) {
		f := patient(t, 40, 5)
		for n, want := range [][3]bool{{false, false, false}, {true, false, false}, {true, true, false}, {true, true, true}} {
			f.Medicine(hit("p", 9, ""))
			f.Choose("head")
			c := f.Creature("p")
			if got := [3]bool{body.Has(c, body.CondSickened), body.Has(c, body.CondConfused), body.Has(c, body.CondStaggered)}; got != want {
				t.Errorf("%d head injuries: %v, want %v", n+1, got, want)
			}
		}
		f.Medicine(hit("p", 9, ""))
		f.Choose("head")
		f.Medicine(&eventv1.Harm{Deed: body.DeedTurnStart, Target: "p"}, 51) // celesia.injury.head-daze
		if body.Has(f.Creature("p"), body.CondDazed) {
			t.Error("51 does not daze")
		}
		f.Medicine(&eventv1.Harm{Deed: body.DeedTurnStart, Target: "p"}, 50)
		if !body.Has(f.Creature("p"), body.CondDazed) {
			t.Error("50 dazes")
		}
		if len(body.OpenSides(f.Creature("p"), "head")) != 0 { // celesia.injury.crippling-reroll
			t.Error("a sixth head injury is possible")
		}
	})
	t.Run(cite.HealingCripplingRestoration, func(t *testing.T) {
		f := patient(t, 40, 40)
		f.Put("p", &eventv1.Vitals{Injuries: []*eventv1.Injury{{Kind: "head"}, {Kind: "head"}, {Kind: "head"},
			{Kind: "arm", Side: "left"}, {Kind: "arm", Side: "left", Values: map[string]int32{"severed": 1}}}})
		f.Medicine(&eventv1.Harm{Deed: body.DeedRestore, Target: "p", Facts: map[string]string{"injury": "head"}})
		if c := f.Creature("p"); !body.Has(c, body.CondSickened) || body.Has(c, body.CondConfused) {
			t.Error("two left: sickened stays, confused ends")
		}
		f.Medicine(&eventv1.Harm{Deed: body.DeedRestore, Target: "p", Facts: map[string]string{"injury": "arm"}})
		if !body.Lost(f.Creature("p"), "arm", "left") {
			t.Error("restoration healed a severed arm")
		}
		f.Medicine(&eventv1.Harm{Deed: body.DeedRegrow, Target: "p"}) // celesia.healing.crippling-severed
		if body.Lost(f.Creature("p"), "arm", "left") {
			t.Error("regenerate brings the arm back")
		}
	})
	t.Run(cite.HealingCripplingRegeneration, func(t *testing.T) {
		f := patient(t, 63, 57, features(body.FeatRegeneration))
		f.Put("p", &eventv1.Vitals{Injuries: []*eventv1.Injury{{Kind: "head"}, {Kind: "arm", Side: "left"}}})
		f.Medicine(&eventv1.Harm{Deed: body.DeedHeal, Target: "p", Amount: 5})
		if len(f.Creature("p").Injuries) != 2 {
			t.Error("injuries stay below full hit points")
		}
		f.Medicine(&eventv1.Harm{Deed: body.DeedHeal, Target: "p", Amount: 5})
		if len(f.Creature("p").Injuries) != 0 {
			t.Error("injuries go at full hit points")
		}
	})
}

func TestMassiveDamage(t *testing.T) {
	for _, tc := range []struct {
		rule        string
		most, dealt int32
		save        bool
	}{
		{cite.InjuryMassiveThreshold, 80, 49, false}, {"celesia.injury.massive-threshold 50", 80, 50, true},
		{"celesia.injury.massive-threshold half", 140, 69, false}, {"celesia.injury.massive-threshold at half", 140, 70, true},
		{"celesia.injury.massive-threshold 60.5", 121, 60, false}, {"celesia.injury.massive-threshold over 60.5", 121, 61, true},
	} {
		t.Run(tc.rule, func(t *testing.T) {
			f := patient(t, tc.most, tc.most, fortitude(-40))
			faces := []int{10}
			if !tc.save {
				faces = nil
			}
			f.Medicine(hit("p", tc.dealt, ""), faces...)
			if body.Dead(f.Creature("p")) != tc.save {
				t.Errorf("dead %v, want %v", body.Dead(f.Creature("p")), tc.save)
			}
		})
	}
	t.Run(cite.InjuryMassiveSave, func(t *testing.T) {
		f := patient(t, 80, 70, fortitude(5))
		f.Medicine(hit("p", 53, ""), 11, 4, 1) // DC 16 made; 4 + 10: hand; left
		f.WantHP("p", 17)
		if !body.Lost(f.Creature("p"), "hand", "left") {
			t.Errorf("injuries %v", f.Creature("p").Injuries)
		}
		f = patient(t, 80, 70, fortitude(5))
		f.Medicine(hit("p", 53, ""), 10)
		f.WantLife("p", gone)
		f.WantHP("p", 17)
	})
	t.Run(cite.InjuryMassiveInjury, func(t *testing.T) {
		f := patient(t, 80, 70, fortitude(20))
		f.Medicine(hit("p", 50, ""), 11, 2, 2)
		f.WantHP("p", 20)
		if body.Injuries(f.Creature("p"), "eye", "right", false) != 1 {
			t.Errorf("injuries %v", f.Creature("p").Injuries)
		}
	})
	for _, tc := range []struct { // celesia.injury.massive-roll
		dealt int32
		face  int
		row   string
	}{{50, 1, "eye"}, {54, 6, "head"}, {70, 12, "arm"}} {
		f := patient(t, 100, 100, fortitude(40))
		faces := []int{11, tc.face}
		if tc.row != "head" {
			faces = append(faces, 1)
		}
		f.Medicine(hit("p", tc.dealt, ""), faces...)
		if body.Injuries(f.Creature("p"), tc.row, "", false) != 1 {
			t.Errorf("damage %d face %d: %v, want %s", tc.dealt, tc.face, f.Creature("p").Injuries, tc.row)
		}
	}
	t.Run(cite.InjuryMassiveCritImmune, func(t *testing.T) {
		f := patient(t, 100, 100, immuneTo(body.ImmuneCritical))
		f.Medicine(hit("p", 80, ""))
		f.WantHP("p", 20)
	})
	t.Run(cite.InjuryMassiveSingleAttack, func(t *testing.T) {
		f := patient(t, 100, 100)
		f.Medicine(hit("p", 30, ""))
		f.Medicine(hit("p", 30, ""))
		f.WantHP("p", 40)
	})
	t.Run(cite.InjuryCripplingReroll, func(t *testing.T) {
		f := patient(t, 100, 100, fortitude(40))
		f.Put("p", &eventv1.Vitals{Injuries: []*eventv1.Injury{{Kind: "head"}, {Kind: "head"}, {Kind: "head"}, {Kind: "head"}, {Kind: "head"}}})
		// Sickened and five head injuries: the Fortitude save has one disadvantage.
		f.Medicine(hit("p", 55, ""), 11, 12, 4, 8, 1)
		if body.Injuries(f.Creature("p"), "arm", "left", false) != 1 {
			t.Errorf("injuries %v", f.Creature("p").Injuries)
		}
	})
}

func TestNonlethal(t *testing.T) {
	for _, tc := range []struct {
		rule                string
		most, hp            int32
		tally, burn         int
		damage              int32
		nature              string
		hpWant              int32
		tallyWant, burnWant int64
		staggered           bool
		want                eventv1.LifeStatus
	}{
		{cite.InjuryNonlethalTally, 20, 20, 0, 0, 7, body.NatureNonlethal, 20, 7, 0, false, alive},
		{"celesia.injury.nonlethal-tally then lethal", 20, 20, 7, 0, 5, "", 15, 7, 0, false, alive},
		{cite.ConditionStaggeredByNonlethal, 20, 20, 0, 0, 10, body.NatureNonlethal, 20, 10, 0, true, alive},
		{"celesia.condition.staggered-by-nonlethal 10.5", 21, 21, 0, 0, 10, body.NatureNonlethal, 21, 10, 0, false, alive},
		{"celesia.condition.staggered-by-nonlethal lethal", 20, 20, 8, 0, 4, "", 16, 8, 0, true, alive},
		{"celesia.condition.unconscious-by-nonlethal equal", 20, 20, 10, 0, 10, body.NatureNonlethal, 20, 20, 0, true, alive},
		{cite.ConditionUnconsciousByNonlethal, 22, 20, 10, 0, 11, body.NatureNonlethal, 20, 21, 0, false, out},
		{cite.InjuryNonlethalOverflow, 20, 20, 20, 0, 5, body.NatureNonlethal, 15, 20, 0, false, out},
		{"celesia.injury.nonlethal-overflow split", 30, 30, 28, 0, 6, body.NatureNonlethal, 26, 30, 0, false, out},
		{"celesia.injury.nonlethal-overflow limit", 30, 8, 12, 0, 6, body.NatureNonlethal, 8, 18, 0, false, out},
		{cite.InjuryBurnStacks, 20, 20, 6, 0, 4, body.NatureBurn, 20, 6, 4, true, alive},
		{"celesia.injury.burn-stacks unconscious", 21, 20, 11, 0, 10, body.NatureBurn, 20, 11, 10, false, out},
	} {
		t.Run(tc.rule, func(t *testing.T) {
			f := patient(t, tc.most, tc.hp)
			f.Count("p", body.CNonlethal, tc.tally, body.CBurn, tc.burn)
			f.Medicine(hit("p", tc.damage, tc.nature))
			c := f.Creature("p")
			if c.GetHp() != tc.hpWant || c.Counters[body.CNonlethal] != tc.tallyWant || c.Counters[body.CBurn] != tc.burnWant || body.Has(c, body.CondStaggered) != tc.staggered || c.Life != tc.want {
				t.Errorf("hp %d tallies %v staggered %v %v", c.GetHp(), c.Counters, body.Has(c, body.CondStaggered), c.Life)
			}
		})
	}
	t.Run("celesia.condition.unconscious-by-nonlethal at 0", func(t *testing.T) {
		f := patient(t, 20, 10)
		f.Count("p", body.CNonlethal, 2)
		f.Medicine(hit("p", 10, ""))
		f.Choose("none")
		f.WantLife("p", out)
	})
	t.Run(cite.InjuryNonlethalOverflowRegeneration, func(t *testing.T) {
		f := patient(t, 63, 63, features(body.FeatRegeneration))
		f.Count("p", body.CNonlethal, 60)
		f.Medicine(hit("p", 10, body.NatureNonlethal))
		if f.WantHP("p", 63); f.Creature("p").Counters[body.CNonlethal] != 70 {
			t.Error("the tally goes on rising")
		}
	})
	t.Run(cite.InjuryBurnBehaves, func(t *testing.T) {
		f := patient(t, 12, 12, immuneTo(body.ImmuneNonlethal))
		f.Medicine(hit("p", 6, body.NatureNonlethal))
		f.Medicine(hit("p", 6, body.NatureBurn))
		if c := f.Creature("p"); c.Counters[body.CNonlethal] != 0 || c.Counters[body.CBurn] != 6 || !body.Has(c, body.CondStaggered) {
			t.Errorf("tallies %v", c.Counters)
		}
	})
	t.Run(cite.ConditionStaggeredEnds, func(t *testing.T) {
		f := patient(t, 20, 18)
		f.Count("p", body.CNonlethal, 10)
		f.Medicine(&eventv1.Harm{Deed: body.DeedHeal, Target: "p", Amount: 2})
		if body.Has(f.Creature("p"), body.CondStaggered) {
			t.Error("8 against 20: no longer staggered")
		}
	})
	t.Run("celesia.condition.staggered-by-nonlethal turn", func(t *testing.T) {
		f := duel(t, fighter("a", "party"), fighter("b", "foes", unarmed()))
		f.Count("a", body.CNonlethal, 20)
		if f.acts("a") != 1 {
			t.Errorf("%d acts, want 1", f.acts("a"))
		}
		wantRefused(t, f.Try(act("a", "total-defense", "", "")), cite.ActionStandardConsecutive)
	})
}
