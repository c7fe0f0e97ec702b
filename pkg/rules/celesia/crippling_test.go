package celesia

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	"github.com/skaldrpg/skald/pkg/rules/celesia/injury"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	"github.com/skaldrpg/skald/pkg/rules/play/situation"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// bodyPlan gives a sheet a body.
func bodyPlan(b *eventv1.CelesiaBody) func(*eventv1.Sheet) {
	return section(func(c *eventv1.CelesiaSheet) { c.Body = b })
}

// several is n injuries of a row on a side; severed tells of which sort.
func several(n int, row, side string, severed int32) []*eventv1.Injury {
	var out []*eventv1.Injury
	for range n {
		in := &eventv1.Injury{Kind: row, Side: side}
		if severed > 0 {
			in.Values = map[string]int32{"severed": 1}
		}
		out = append(out, in)
	}
	return out
}

// maimed is a patient with 40 hit points who carries injuries.
func maimed(t *testing.T, injuries ...[]*eventv1.Injury) *table {
	t.Helper()
	f := patient(t, 40, 40, con(40))
	f.Put("p", &eventv1.Vitals{Injuries: slices.Concat(injuries...)})
	return f
}

// wantInjuries checks what is carried of a row: plain ones and severed ones.
func (f *table) wantInjuries(row string, plain, severed int32) {
	f.T.Helper()
	c := f.Creature("p")
	if p, s := body.Injuries(c, row, "", false), body.Injuries(c, row, "", true); p != plain || s != severed {
		f.T.Errorf("%s: %d injuries and %d severed, want %d and %d", row, p, s, plain, severed)
	}
}

// suffer is a blow that would bring the patient to -1, met with an injury.
func (f *table) suffer(choice string) {
	f.T.Helper()
	hp := f.Creature("p").GetHp()
	f.Medicine(hit("p", hp+1, ""))
	f.Choose(choice)
}

// offered are the injuries that the open decision offers.
func (f *table) offered() []string {
	f.T.Helper()
	if len(f.Decisions) != 1 {
		f.T.Fatalf("open decisions: %v", f.Decisions)
	}
	var out []string
	for _, o := range f.Decisions[0].Options {
		out = append(out, o.Id)
	}
	return out
}

// celesia.injury.crippling-table: the row cancels what its column says, and the
// face of a random injury falls into its range.
func TestEveryCripplingRow(t *testing.T) {
	for _, tc := range []struct {
		row, choice string
		negated     int32
		from, to    int32
	}{
		{"scar", "scar", 5, 1, 4}, {"major-scar", "major-scar", 10, 5, 8}, {"finger", "finger:left", 15, 9, 10}, {"eye", "eye:left", 20, 11, 12},
		{"hand", "hand:left", 25, 13, 14}, {"head", "head", 30, 15, 16}, {"leg", "leg:left", 35, 17, 18}, {"arm", "arm:left", 40, 19, 20},
	} {
		t.Run("celesia.injury.crippling-table "+tc.row, func(t *testing.T) {
			for result := int32(1); result <= 20; result++ {
				if got := strike.CrippleAt(nil, result).Row == tc.row; got != (result >= tc.from && result <= tc.to) {
					t.Errorf("result %d in the row: %v", result, got)
				}
			}
			f := patient(t, 100, 4)
			f.Medicine(hit("p", 49, ""))
			f.Choose(tc.choice)
			f.WantHP("p", 4-(49-tc.negated))
			f.wantInjuries(tc.row, 1, 0)
			if in := f.Creature("p").Injuries[0]; !in.Permanent || in.Rule != "celesia.injury."+tc.row {
				t.Errorf("injury %v", in)
			}
		})
	}
}

func TestLostParts(t *testing.T) {
	t.Run(cite.InjuryFingerSevered, func(t *testing.T) {
		f := maimed(t, several(5, "finger", "left", 0), several(5, "finger", "right", 0))
		f.suffer("finger:left")
		f.wantInjuries("finger", 10, 1)
		if f.Creature("p").Counters[body.CBleed] != 0 {
			t.Error("a finger does not bleed")
		}
	})
	t.Run("celesia.injury.finger-severed all", func(t *testing.T) {
		f := maimed(t, several(5, "finger", "left", 0), several(5, "finger", "right", 0), several(5, "finger", "left", 1), several(5, "finger", "right", 1))
		f.Medicine(hit("p", 41, ""))
		if o := f.offered(); slices.Contains(o, "finger:left") || slices.Contains(o, "finger:right") {
			t.Errorf("offered %v", o)
		}
		if open := body.OpenSides(f.Creature("p"), "finger"); len(open) != 0 {
			t.Errorf("open fingers %v", open)
		}
	})
	t.Run("celesia.injury.finger-hand-lost severs as a hand", func(t *testing.T) {
		f := maimed(t, several(5, "finger", "left", 0), several(1, "hand", "right", 0))
		f.suffer("hand:left")
		f.wantInjuries("hand", 1, 1)
		if f.Creature("p").Counters[body.CBleed] != 1 {
			t.Error("all hands were lost: the next is severed and bleeds")
		}
		if open := body.OpenSides(f.Creature("p"), "finger"); !slices.Equal(open, []string{"right"}) {
			t.Errorf("fingers of a hand that is gone: %v", open)
		}
	})
	t.Run(cite.InjuryEyeDestroyed, func(t *testing.T) {
		f := maimed(t, several(1, "eye", "left", 0), several(1, "eye", "right", 0))
		f.suffer("eye:right")
		f.wantInjuries("eye", 2, 1)
		f.suffer("eye:left")
		f.wantInjuries("eye", 2, 2)
		f.Medicine(hit("p", 41, ""))
		if o := f.offered(); slices.Contains(o, "eye:left") || slices.Contains(o, "eye:right") {
			t.Errorf("a fifth is offered: %v", o)
		}
		f.Choose("none")
		if f.Creature("p").Counters[body.CBleed] != 0 {
			t.Error("eyes do not bleed")
		}
	})
	t.Run(cite.InjuryLegSevered, func(t *testing.T) {
		f := maimed(t, several(1, "leg", "left", 0), several(1, "leg", "right", 0))
		f.suffer("leg:left")
		f.wantInjuries("leg", 2, 1)
		if f.Creature("p").Counters[body.CBleed] != 2 {
			t.Errorf("bleed %d, want 2", f.Creature("p").Counters[body.CBleed])
		}
		f.suffer("leg:right")
		if f.Creature("p").Counters[body.CBleed] != 4 {
			t.Errorf("bleed %d, want 4", f.Creature("p").Counters[body.CBleed])
		}
		if len(body.OpenSides(f.Creature("p"), "leg")) != 0 {
			t.Error("a third leg")
		}
	})
	t.Run("celesia.injury.arm-severed takes the hand", func(t *testing.T) {
		f := maimed(t, several(1, "arm", "left", 0), several(1, "arm", "right", 0))
		f.suffer("arm:left")
		if open := body.OpenSides(f.Creature("p"), "hand"); !slices.Equal(open, []string{"right"}) {
			t.Errorf("hands to be hurt %v", open)
		}
		if body.LostParts(f.Creature("p"), "hand") != 1 || strike.UsableHands(f.Creature("p")) != 0 {
			t.Error("one hand is gone, none can be used")
		}
	})
	t.Run("celesia.injury.hand-severed immune to bleeding", func(t *testing.T) {
		f := patient(t, 40, 40, immuneTo(body.ImmuneBleed))
		f.Put("p", &eventv1.Vitals{Injuries: slices.Concat(several(1, "hand", "left", 0), several(1, "hand", "right", 0))})
		f.suffer("hand:left")
		if f.Creature("p").Counters[body.CBleed] != 0 {
			t.Error("it bleeds")
		}
	})
	t.Run("celesia.injury.leg quadruped", func(t *testing.T) {
		f := patient(t, 40, 40, bodyPlan(&eventv1.CelesiaBody{Legs: 4, Eyes: 2, Head: true}), walks(50))
		for _, tc := range []struct {
			leg  string
			want int32
		}{{"1", 50}, {"2", 25}, {"3", 25}} {
			f.suffer("leg:" + tc.leg)
			if got := body.Speed(f.Creature("p"), "walk"); got != tc.want {
				t.Errorf("leg %s: %d feet, want %d", tc.leg, got, tc.want)
			}
		}
		if body.Has(f.Creature("p"), body.CondProne) {
			t.Error("one leg is left")
		}
		f.suffer("leg:4")
		if !body.Has(f.Creature("p"), body.CondProne) {
			t.Error("prone without a leg")
		}
	})
	t.Run("celesia.injury.leg with disabled", func(t *testing.T) {
		f := patient(t, 100, 100)
		f.Put("p", &eventv1.Vitals{Injuries: several(1, "leg", "left", 0)})
		f.Hurt("p", 0)
		if got := body.Speed(f.Creature("p"), "walk"); got != 7 {
			t.Errorf("%d feet, want 7", got)
		}
	})
	t.Run("celesia.injury.hand four hands", func(t *testing.T) {
		greatsword := weapon(&eventv1.CelesiaWeapon{Name: "greatsword", Kind: "melee", Dice: "2d6", Hands: 2})
		f := patient(t, 40, 5, bodyPlan(&eventv1.CelesiaBody{Hands: 4, Fingers: 5, Arms: 4, Legs: 2, Eyes: 2, Head: true}), greatsword)
		f.Medicine(hit("p", 9, ""))
		f.Choose("hand:1")
		if c := f.Creature("p"); !strike.Wieldable(c, body.WeaponOf(c, "greatsword")) {
			t.Error("three intact hands hold a two-handed weapon")
		}
		for _, side := range []string{"2", "3"} {
			f.Medicine(hit("p", 9, ""))
			f.Choose("hand:" + side)
		}
		if f.Creature("p").Items["greatsword"].Place != body.PlaceDropped {
			t.Error("one hand holds no two-handed weapon")
		}
	})
	t.Run("celesia.injury.arm drops", func(t *testing.T) {
		f := patient(t, 40, 5)
		f.Medicine(hit("p", 9, ""))
		f.Choose("arm:right")
		if c := f.Creature("p"); c.Items["sword"].Place != body.PlaceDropped || strike.Usable(c, "right") || !strike.Usable(c, "left") {
			t.Error("nothing is used with that arm")
		}
		if !slices.ContainsFunc(f.Events, func(e *eventv1.Event) bool {
			return e.GetItem().GetItem() == "sword" && slices.Contains(e.Rules, cite.InjuryArm)
		}) {
			t.Error("dropped for another rule")
		}
	})
	t.Run("parts the creature never had", func(t *testing.T) { // celesia.injury.crippling-reroll
		f := patient(t, 40, 5, bodyPlan(&eventv1.CelesiaBody{Eyes: 1}))
		f.Medicine(hit("p", 9, ""))
		if o := f.offered(); !slices.Equal(o, []string{"none", "scar", "major-scar", "eye:1"}) {
			t.Errorf("offered %v", o)
		}
	})
}

func walks(feet int32) func(*eventv1.Sheet) {
	return func(s *eventv1.Sheet) { s.Speeds = map[string]int32{"walk": feet} }
}

func TestWhoChoosesAnInjury(t *testing.T) {
	t.Run("celesia.injury.crippling-choice is the victim's", func(t *testing.T) {
		f := duel(t, fighter("a", "party", attacks(20), weapon(&eventv1.CelesiaWeapon{Name: "w", Kind: "melee", Dice: "1d8", Hands: 1, DamageBonus: 39})), fighter("b", "foes"))
		f.Must(act("a", "attack", "w", "b"), 2, 1)
		if len(f.Decisions) != 1 || f.Decisions[0].Creature != "b" || f.Decisions[0].GmOnly || f.Decisions[0].DefaultOption != "none" {
			t.Fatalf("open %v", f.Decisions)
		}
		f.WantHP("b", 40) // not applied yet
		for _, e := range f.SeenBy(player("a-player")) {
			if e.GetDecisionRequested() != nil || e.GetDamage() != nil {
				t.Errorf("the attacker sees %v", e)
			}
		}
		f.Answer(body.DecCrippling, "head")
		f.WantHP("b", 30) // 40 - (40 - 30)
	})
	t.Run("celesia.injury.crippling-one-per-attack two attacks", func(t *testing.T) {
		f := patient(t, 40, 10)
		for range 2 {
			f.Medicine(hit("p", 15, ""))
			f.Choose("finger:left")
		}
		f.WantHP("p", 10)
		f.wantInjuries("finger", 2, 0)
	})
	t.Run("celesia.injury.crippling-one-per-attack only once", func(t *testing.T) {
		f := patient(t, 60, 4, con(14))
		f.Medicine(hit("p", 49, ""))
		f.Choose("arm:left") // and no second question
		f.WantHP("p", -5)
		f.WantLife("p", limping)
	})
	t.Run("celesia.injury.crippling-choice after temporary hit points", func(t *testing.T) {
		f := patient(t, 40, 12)
		temp := int32(9)
		f.Put("p", &eventv1.Vitals{HpTemp: &temp})
		f.Medicine(hit("p", 20, "")) // 11 get through: 1 is left
		f.WantHP("p", 1)
		f.Put("p", &eventv1.Vitals{HpTemp: &temp})
		f.Medicine(hit("p", 10, ""))
		f.Choose("scar")
		f.WantHP("p", 1)
		if f.Creature("p").GetHpTemp() != 0 {
			t.Error("temporary hit points are used up first")
		}
	})
	t.Run("celesia.injury.crippling-choice the unconscious", func(t *testing.T) {
		f := patient(t, 40, -14)
		f.Medicine(hit("p", 5, ""))
		f.Choose("scar")
		f.WantHP("p", -14)
	})
	t.Run("celesia.death.dying-loss is no damage", func(t *testing.T) {
		f := patient(t, 40, -14)
		f.Medicine(&eventv1.Harm{Deed: body.DeedTurnStart, Target: "p"}, 2)
		if len(f.Decisions) != 0 {
			t.Error("an injury is offered for a loss")
		}
		f.WantHP("p", -15)
	})
	t.Run("celesia.injury.crippling-cap after restoration", func(t *testing.T) {
		f := patient(t, 40, 5, con(10))
		f.Put("p", &eventv1.Vitals{Injuries: several(10, "scar", "", 0)})
		f.Medicine(&eventv1.Harm{Deed: body.DeedRestore, Target: "p", Facts: map[string]string{"injury": "scar"}})
		f.Medicine(hit("p", 8, ""))
		f.Choose("major-scar")
		f.WantHP("p", 5)
	})
	t.Run("celesia.injury.crippling-cap does not stop an imposed one", func(t *testing.T) {
		f := patient(t, 80, 80, con(10), fortitude(60))
		f.Put("p", &eventv1.Vitals{Injuries: several(10, "scar", "", 0)})
		f.Medicine(hit("p", 50, ""), 11, 1, 1)
		f.wantInjuries("eye", 1, 0)
	})
	t.Run("celesia.injury.crippling-choice without Constitution", func(t *testing.T) {
		f := patient(t, 40, 5, func(s *eventv1.Sheet) { delete(s.Abilities, "constitution") })
		f.Medicine(hit("p", 8, ""))
		f.WantLife("p", gone)
	})
	t.Run("celesia.injury.nonlethal-tally no injury", func(t *testing.T) {
		f := patient(t, 20, 10)
		f.Medicine(hit("p", 15, body.NatureNonlethal))
		if len(f.Decisions) != 0 {
			t.Error("an injury is offered for nonlethal damage")
		}
	})
	t.Run("celesia.injury.nonlethal-overflow may be met with an injury", func(t *testing.T) {
		f := patient(t, 20, 4)
		f.Count("p", body.CNonlethal, 20)
		f.Medicine(hit("p", 5, body.NatureNonlethal))
		f.Choose("scar")
		f.WantHP("p", 4)
	})
}

func TestHealingOfInjuries(t *testing.T) {
	t.Run("celesia.healing.crippling-restoration asks which", func(t *testing.T) {
		f := patient(t, 40, 40)
		f.Put("p", &eventv1.Vitals{Injuries: slices.Concat(several(3, "scar", "", 0), several(1, "eye", "left", 0))})
		f.Medicine(&eventv1.Harm{Deed: body.DeedRestore, Target: "p"})
		if len(f.Decisions) != 1 || f.Decisions[0].Name != body.DecRestore || len(f.Decisions[0].Options) != 4 {
			t.Fatalf("open %v", f.Decisions)
		}
		f.Choose("eye")
		f.wantInjuries("eye", 0, 0)
		f.wantInjuries("scar", 3, 0)
		f.Medicine(&eventv1.Harm{Deed: body.DeedRestore, Target: "p"})
		f.Choose("scar")
		c := f.Creature("p")
		if b, i := strike.SkillModifiers(nil, c, "bluff"), strike.SkillModifiers(nil, c, "intimidate"); len(b) != 2 || len(i) != 2 {
			t.Errorf("bluff %v intimidate %v, want -2 and +2", b, i)
		}
	})
	t.Run("celesia.healing.crippling-severed finger", func(t *testing.T) {
		f := maimed(t, several(5, "finger", "left", 0), several(5, "finger", "right", 0), several(1, "finger", "left", 1))
		if !injury.Restorable(nil, f.Creature("p"), f.Creature("p").Injuries[0]) {
			t.Error("four of the five lost fingers are still there")
		}
		f.Medicine(&eventv1.Harm{Deed: body.DeedRegrow, Target: "p"})
		f.wantInjuries("finger", 9, 0)
	})
	t.Run("celesia.healing.crippling-severed eye", func(t *testing.T) {
		f := maimed(t, several(1, "eye", "left", 0), several(1, "eye", "right", 0), several(1, "eye", "right", 1))
		f.Medicine(&eventv1.Harm{Deed: body.DeedRestore, Target: "p"}) // only the left one can be
		f.wantInjuries("eye", 1, 1)
		if body.Has(f.Creature("p"), body.CondBlind) {
			t.Error("one eye sees again")
		}
		f.Medicine(&eventv1.Harm{Deed: body.DeedRegrow, Target: "p"})
		f.wantInjuries("eye", 0, 0)
	})
	t.Run("celesia.healing.crippling-severed arm with its hand", func(t *testing.T) {
		f := maimed(t, several(1, "hand", "left", 0), several(1, "arm", "left", 0), several(1, "arm", "right", 0), several(1, "arm", "left", 1))
		f.Medicine(&eventv1.Harm{Deed: body.DeedRegrow, Target: "p"})
		f.wantInjuries("arm", 1, 0)
		f.wantInjuries("hand", 0, 0)
	})
	t.Run(cite.InjuryCripplingPermanent, func(t *testing.T) {
		f := patient(t, 40, 20)
		f.Put("p", &eventv1.Vitals{Injuries: several(1, "eye", "left", 0)})
		f.Medicine(&eventv1.Harm{Deed: body.DeedHeal, Target: "p", Amount: 40, Facts: map[string]string{"via": "magic"}})
		f.WantHP("p", 40)
		f.wantInjuries("eye", 1, 0)
	})
	t.Run("celesia.injury.hand-severed ends by magic", func(t *testing.T) {
		f := patient(t, 40, 20)
		f.Count("p", body.CBleed, 3)
		f.Medicine(&eventv1.Harm{Deed: body.DeedHeal, Target: "p", Amount: 1})
		if f.Creature("p").Counters[body.CBleed] != 3 {
			t.Error("only magic and the Heal skill end it")
		}
		f.Medicine(&eventv1.Harm{Deed: body.DeedHeal, Target: "p", Amount: 1, Facts: map[string]string{"via": "magic"}})
		if f.Creature("p").Counters[body.CBleed] != 0 {
			t.Error("still bleeding")
		}
	})
	t.Run("celesia.injury.hand-severed staunched", func(t *testing.T) {
		for face, left := range map[int]int64{6: 0, 5: 1} {
			f := newTable(t).add(fighter("p", "party", section(func(c *eventv1.CelesiaSheet) { c.Skills = map[string]int32{"heal": 9} })))
			f.Count("p", body.CBleed, 1)
			f.Medicine(&eventv1.Harm{Deed: body.DeedStaunch, Target: "p", Source: "p"}, face)
			if got := f.Creature("p").Counters[body.CBleed]; got != left {
				t.Errorf("face %d: bleed %d, want %d", face, got, left)
			}
		}
	})
}

func TestMassiveDamageEdges(t *testing.T) {
	t.Run("celesia.injury.massive-threshold dead outright", func(t *testing.T) {
		f := patient(t, 60, 20)
		f.Medicine(hit("p", 50, ""))
		f.Choose("none") // -30: no save is rolled
		f.WantLife("p", gone)
	})
	t.Run("celesia.injury.massive-threshold before the injury", func(t *testing.T) {
		f := patient(t, 80, 20, fortitude(2))
		f.Medicine(hit("p", 53, ""))
		f.Choose("arm:left", 14, 1, 2) // DC 16 by the whole 53; then 1 + 10: an eye, the right one
		f.WantHP("p", 7)
		f.wantInjuries("arm", 1, 0)
		f.wantInjuries("eye", 1, 0)
	})
	t.Run("celesia.injury.massive-save difficulty", func(t *testing.T) {
		f := patient(t, 200, 200, fortitude(25))
		f.Medicine(hit("p", 100, ""), 15, 20, 1) // 15 + 25 = 40 made; 20 + 20: the arm
		f.wantInjuries("arm", 1, 0)
		f = patient(t, 200, 200, fortitude(25))
		f.Medicine(hit("p", 100, ""), 14)
		f.WantLife("p", gone)
		f.WantHP("p", 100)
		f = patient(t, 180, 180, fortitude(15))
		f.Medicine(hit("p", 90, ""), 20, 1, 1) // celesia.injury.massive-save: 15 + 20 = 35 against 90
		if got := f.Roll("massive-damage/p").Target.Value; got != 35 {
			t.Errorf("DC %d, want 35", got)
		}
	})
	t.Run(cite.InjuryMassiveSingleAttack, func(t *testing.T) {
		f := patient(t, 100, 100, fortitude(20))
		f.Medicine(hit("p", 20, ""))
		f.Medicine(hit("p", 50, ""), 2, 5)
		if got := f.Roll("massive-damage/p").Target.Value; got != 15 {
			t.Errorf("DC %d, want 15", got)
		}
	})
	t.Run("celesia.injury.massive-threshold nonlethal does not count", func(t *testing.T) {
		f := patient(t, 100, 100)
		f.Medicine(hit("p", 60, body.NatureNonlethal))
		f.WantLife("p", alive)
	})
	t.Run("celesia.injury.crippling-reroll next lower row", func(t *testing.T) {
		f := patient(t, 200, 200, fortitude(60))
		f.Put("p", &eventv1.Vitals{Injuries: slices.Concat(several(1, "arm", "left", 0), several(1, "arm", "right", 0), several(1, "arm", "left", 1), several(1, "arm", "right", 1))})
		f.Medicine(hit("p", 100, ""), 11, 3, 2) // 3 + 20 is an arm whatever the face: the leg
		f.wantInjuries("leg", 1, 0)
		f.wantInjuries("arm", 2, 2)
	})
	t.Run("celesia.death.coup-save before massive damage", func(t *testing.T) {
		f := patient(t, 100, 100, fortitude(60))
		h := hit("p", 60, "")
		h.Deed = body.DeedCoup
		f.Medicine(h, 10, 2, 5, 1) // DC 70 made exactly; then DC 20; then 5 + 12: a leg
		rolls := f.Rolls("/p")
		if len(rolls) != 4 || rolls[0].Label != "coup/p" || rolls[1].Label != "massive-damage/p" {
			t.Fatalf("rolls %v", rolls)
		}
		f.wantInjuries("leg", 1, 0)
	})
	t.Run("celesia.death.coup-save after an injury", func(t *testing.T) {
		f := patient(t, 40, 10, fortitude(20))
		h := hit("p", 20, "")
		h.Deed = body.DeedCoup
		f.Medicine(h)
		f.Choose("hand:left", 10) // 30 against 10 + 20, not 10 + 0
		f.WantLife("p", alive)
		f.WantHP("p", 10)
		if got := f.Roll("coup/p").Target.Value; got != 30 {
			t.Errorf("DC %d, want 30", got)
		}
	})
	t.Run("celesia.death.coup-save dead at once", func(t *testing.T) {
		f := patient(t, 40, -20, con(13))
		h := hit("p", 21, "")
		h.Deed = body.DeedCoup
		f.Medicine(h)
		f.Choose("none")
		f.WantLife("p", gone)
		f.WantHP("p", -41)
	})
}

func TestCoupOverflow(t *testing.T) {
	for _, tc := range []struct {
		rule      string
		tally     int
		dealt     int32
		hp        int32
		tallyWant int64
		choice    bool
		want      eventv1.LifeStatus
	}{
		{cite.InjuryCoupNonlethalOverflow, 0, 24, 6, 20, false, out},
		{"celesia.injury.coup-nonlethal-overflow exactly twice", 0, 20, 10, 20, false, out},
		{"celesia.injury.coup-nonlethal-overflow kills", 0, 54, -24, 20, true, gone},
		{"celesia.injury.coup-nonlethal-overflow already there", 20, 3, 7, 20, false, out},
	} {
		t.Run(tc.rule, func(t *testing.T) {
			f := patient(t, 10, 10)
			f.Count("p", body.CNonlethal, tc.tally)
			h := hit("p", tc.dealt, body.NatureNonlethal)
			h.Deed = body.DeedCoup
			f.Medicine(h)
			if tc.choice {
				f.Choose("none")
			}
			f.WantHP("p", tc.hp)
			f.WantLife("p", tc.want)
			if got := f.Creature("p").Counters[body.CNonlethal]; got != tc.tallyWant {
				t.Errorf("tally %d, want %d", got, tc.tallyWant)
			}
		})
	}
	t.Run("celesia.attack.coup-nonlethal unconscious at once", func(t *testing.T) {
		f := patient(t, 24, 24, fortitude(7))
		f.Count("p", body.CNonlethal, 10)
		h := hit("p", 18, body.NatureNonlethal)
		h.Deed = body.DeedCoup
		f.Medicine(h) // 28 exceeds 24: no save
		f.WantLife("p", out)
	})
}

// celesia.injury.head: the Will save of one head injury, by the numbers.
func TestHeadInjurySave(t *testing.T) {
	f := newTable(t).add(fighter("p", "party", section(func(c *eventv1.CelesiaSheet) { c.Will = 5 })))
	f.Put("p", &eventv1.Vitals{Injuries: several(1, "head", "", 0)})
	f.start(nil, 10)
	f.Must(act("p", "saving-throw", "", "", withParameters("save", "will", "dc", 15)), 12, 8)
	if r := f.Roll("save/p"); r.Total != 13 || r.Outcome != "failure" {
		t.Errorf("total %d %s, want 13 failing", r.Total, r.Outcome)
	}
	for ability, want := range map[string]int32{"intelligence": -1, "wisdom": -1, "charisma": -1, "strength": 0, "dexterity": 0} {
		if got := situation.Stack(strike.EdgesOf(nil, f.Creature("p"), nil, body.RollKind{Roll: checks.RollAbility, Name: ability})); got != want {
			t.Errorf("%s check: net %d, want %d", ability, got, want)
		}
	}
	if got := situation.Stack(strike.EdgesOf(nil, f.Creature("p"), nil, body.RollKind{Roll: checks.RollSave, Name: "fortitude"})); got != 0 {
		t.Errorf("Fortitude: net %d", got)
	}
}
