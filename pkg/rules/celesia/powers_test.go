package celesia

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Supernatural abilities provoke where the game master says so, others do not.
func TestSupernaturalProvoking(t *testing.T) {
	for _, tc := range []struct {
		kind, time     string
		says, provokes bool
	}{
		{body.KindSupernatural, body.TimeStandard, false, false},
		{body.KindSupernatural, body.TimeStandard, true, true},
		{body.KindSpellLike, body.TimeStandard, false, true},
		{body.KindSpellLike, body.TimeFree, false, false},
		{"", body.TimeMove, true, true},
		{"", body.TimeMove, false, false},
	} {
		t.Run(cite.ActionConvertStandardAbility+" "+tc.kind+" "+tc.time, func(t *testing.T) {
			f := duel(t, fighter("a", "party", abilities(&eventv1.CelesiaAbility{Name: "x", Kind: tc.kind, Time: tc.time, Provokes: tc.says})), fighter("b", "foes"))
			if got := fires(t, f, act("a", "use-ability", "x", "")); got != tc.provokes {
				t.Errorf("provokes %t, want %t", got, tc.provokes)
			}
		})
	}
	for _, tc := range []struct {
		name           string
		spell          *eventv1.CelesiaSpell
		faces          []int
		provokes, only bool
	}{
		{"plain", &eventv1.CelesiaSpell{}, nil, true, false},
		{"supernatural", &eventv1.CelesiaSpell{Supernatural: true}, []int{2}, false, false},
		{"supernatural that attacks", &eventv1.CelesiaSpell{Supernatural: true, Provokes: true}, nil, true, false},
		{"quickened", &eventv1.CelesiaSpell{Quickened: true, Provokes: true}, []int{2}, false, false},
	} {
		t.Run(cite.ActionConvertStandardAbility+" spell "+tc.name, func(t *testing.T) {
			sp := tc.spell
			sp.Name, sp.Casting, sp.Attack, sp.Dice, sp.RangeFeet = "x", "standard", "ranged-touch", "1d4", 30
			f := duel(t, fighter("a", "party", section(func(s *eventv1.CelesiaSheet) { s.Spells = []*eventv1.CelesiaSpell{sp} })), fighter("b", "foes"))
			if got := fires(t, f, act("a", "cast", "x", "b"), tc.faces...); got != tc.provokes {
				t.Errorf("provokes %t, want %t", got, tc.provokes)
			}
			if tc.provokes { // once, the attack roll does not provoke again
				f.Answer(body.DecReaction, "no", 2)
				if len(f.Decisions) > 0 {
					t.Error(f.Decisions)
				}
			}
		})
	}
}

// Restoration and regeneration are cast in a fight, by spell, wand and potion.
func TestHealingOfCripplingInjuriesInFights(t *testing.T) {
	mend := func(restores string) *eventv1.CelesiaSpell {
		return &eventv1.CelesiaSpell{Name: "mend", Casting: "standard", Restores: restores}
	}
	able := func(restores string) func(*eventv1.Sheet) {
		return section(func(s *eventv1.CelesiaSheet) {
			s.Spells = []*eventv1.CelesiaSpell{mend(restores)}
			s.Things = append(s.Things, &eventv1.CelesiaThing{Name: "wand", Kind: body.ThingTrigger, Place: "off", Spell: mend(restores)})
			s.Potions = []*eventv1.CelesiaPotion{{Name: "draught", Count: 1, Spell: &eventv1.CelesiaSpell{Restores: restores}}}
		})
	}
	hurt := func(f *table, id string, list ...*eventv1.Injury) {
		f.T.Helper()
		for i, in := range list {
			in.Id = "i" + body.Itoa(i+1)
		}
		f.Put(id, &eventv1.Vitals{Injuries: list})
	}
	scar := func() *eventv1.Injury { return &eventv1.Injury{Kind: "scar"} }
	hand := func(severed int32) *eventv1.Injury {
		return &eventv1.Injury{Kind: "hand", Side: "left", Values: map[string]int32{"severed": severed}}
	}
	ids := func(f *table, id string) (out []string) {
		for _, in := range f.Creature(id).Injuries {
			out = append(out, in.Id)
		}
		return out
	}
	t.Run(cite.HealingCripplingRestoration, func(t *testing.T) {
		f := duel(t, fighter("a", "party", able(body.DeedRestore)), fighter("b", "party"))
		wantRefused(t, f.Try(act("a", "cast", "mend", "b")), cite.HealingCripplingRestoration)
		if f.acts("a") != 3 {
			t.Error("it was paid for")
		}
		hurt(f, "b", scar(), scar())
		wantRefused(t, f.Try(act("a", "cast", "mend", "b", withParameters("injury", "i9"))), cite.HealingCripplingRestoration)
		f.Must(act("a", "cast", "mend", "b", withParameters("injury", "i2")))
		if got := ids(f, "b"); !slices.Equal(got, []string{"i1"}) {
			t.Error(got)
		}
		f.End("a")
		f.End("b")
		f.Must(act("a", "use-item", "wand", "b"))
		if got := ids(f, "b"); len(got) != 0 {
			t.Error(got)
		}
	})
	t.Run(cite.HealingCripplingRestoration+" the patient picks", func(t *testing.T) {
		f := duel(t, fighter("a", "party", able(body.DeedRestore)), fighter("b", "party"))
		hurt(f, "b", scar(), hand(0))
		f.Must(act("a", "cast", "mend", "b"))
		f.Answer(body.DecRestore, "i2")
		if got := ids(f, "b"); !slices.Equal(got, []string{"i1"}) {
			t.Error(got)
		}
	})
	t.Run(cite.HealingCripplingSevered, func(t *testing.T) {
		f := duel(t, fighter("a", "party", able(body.DeedRestore)), fighter("b", "party"))
		hurt(f, "b", hand(1))
		wantRefused(t, f.Try(act("a", "cast", "mend", "b")), cite.HealingCripplingRestoration)
		f = duel(t, fighter("a", "party", able(body.DeedRegrow)), fighter("b", "party"))
		hurt(f, "b", scar())
		wantRefused(t, f.Try(act("a", "cast", "mend", "b")), cite.HealingCripplingSevered)
		hurt(f, "b", hand(1))
		f.Must(act("a", "cast", "mend", "b"))
		if got := ids(f, "b"); len(got) != 0 {
			t.Error(got)
		}
	})
	t.Run(cite.ItemDrinkApply+" a draught of it", func(t *testing.T) {
		f := duel(t, fighter("a", "party", able(body.DeedRestore)), fighter("b", "party"))
		hurt(f, "a", scar())
		f.Must(act("a", "drink", "draught", ""))
		if got := ids(f, "a"); len(got) != 0 || f.Creature("a").Counters[body.CLeft+"draught"] != 0 {
			t.Error(got)
		}
	})
	t.Run(cite.HealingCripplingRestoration+" no other spell takes an injury", func(t *testing.T) {
		f := duel(t, fighter("a", "party", able("")), fighter("b", "party"))
		wantField(t, f.Try(act("a", "cast", "mend", "b", withParameters("injury", "i1"))), "take.parameters.injury")
		f.Must(act("a", "cast", "mend", "b"))
	})
}

// Potions do what their spell does; they need not heal.
func TestPotionsOfOtherThings(t *testing.T) {
	with := func(list ...*eventv1.CelesiaPotion) func(*eventv1.Sheet) {
		return section(func(s *eventv1.CelesiaSheet) { s.Potions = list })
	}
	t.Run(cite.ItemDrinkApply, func(t *testing.T) {
		f := duel(t, fighter("a", "party", with(&eventv1.CelesiaPotion{Name: "water", Count: 1},
			&eventv1.CelesiaPotion{Name: "veil", Count: 2, Spell: &eventv1.CelesiaSpell{Condition: body.CondInvisible, Turns: 2}},
			&eventv1.CelesiaPotion{Name: "broth", Count: 1, Healing: "1d8+1", Spell: &eventv1.CelesiaSpell{Condition: body.CondHasted, Turns: 1}})), fighter("b", "party"))
		f.Hurt("a", 30)
		f.Must(act("a", "drink", "water", "")) // nothing is rolled
		f.End("a")
		f.End("b")
		f.Must(act("a", "drink", "veil", ""))
		f.WantHP("a", 30)
		for _, invisible := range []bool{true, true, false} {
			if body.Has(f.Creature("a"), body.CondInvisible) != invisible {
				t.Errorf("invisible: %t", !invisible)
			}
			f.End("a")
			f.End("b")
		}
		f.Must(act("a", "drink", "broth", ""), 5)
		f.WantHP("a", 36)
		if !body.Has(f.Creature("a"), body.CondHasted) {
			t.Error("both")
		}
	})
	t.Run(cite.ActionAdministerToUnconscious+" a draught against which one saves", func(t *testing.T) {
		sleep := &eventv1.CelesiaPotion{Name: "drops", Count: 2, Spell: &eventv1.CelesiaSpell{Dice: "1d6", Save: "fortitude", SaveDc: 15, SaveEffect: "negates", CasterLevel: 1}}
		for face, hp := range map[int]int32{14: 36, 15: 40} {
			f := duel(t, fighter("a", "party", with(sleep)), fighter("b", "party"))
			f.Afflict("b", body.CondUnconscious)
			faces := []int{face, 4}[:1+int(40-hp)/4]
			f.Must(act("a", "administer", "drops", "b"), faces...)
			f.WantHP("b", hp)
		}
	})
	t.Run("sheet", func(t *testing.T) {
		for field, sp := range map[string]*eventv1.CelesiaSpell{"sheet.celesia.potions[0].spell": {Attack: "melee-touch"}, "sheet.celesia.potions[0].spell.restores": {Restores: "everything"}} {
			bad := (System{}).CheckSheet(fighter("a", "party", with(&eventv1.CelesiaPotion{Name: "x", Count: 1, Spell: sp})))
			if len(bad) != 1 || bad[0].Field != field {
				t.Errorf("%v, want %s", bad, field)
			}
		}
	})
}

// What an ability allows is done in place of an attack of opportunity.
func TestOpportunitySubstitutes(t *testing.T) {
	with := func(a *eventv1.CelesiaAbility) *table {
		a.Name, a.Time = "x", body.TimeOpportunity
		f := newTable(t).add(fighter("a", "party"), fighter("b", "foes", abilities(a), cmb(7)), fighter("c", "party"))
		f.at("a", 0, 0)
		f.at("b", 5, 0)
		f.at("c", 10, 0)
		f.start(nil, 19, 10, 5)
		for _, id := range []string{"a", "b", "c"} {
			f.End(id)
		}
		f.Must(act("a", "move", "", "", way(-10, 0)))
		return f
	}
	attacks := []string{"no", "attack:sword", "otherwise:sword"}
	t.Run(cite.ReactionOpportunitySubstitute+" a maneuver, bare or with a weapon", func(t *testing.T) {
		f := with(&eventv1.CelesiaAbility{Action: "trip"})
		f.Answer(body.DecReaction+"/b", "instead:x", 8) // 15
		if !body.Has(f.Creature("a"), body.CondProne) || f.Creature("b").Counters[body.CReactions] != 0 {
			t.Error("tripped, by the reaction")
		}
		f.wantAt("a", 0, 0)
		f = with(&eventv1.CelesiaAbility{Action: "sunder"})
		f.Answer(body.DecReaction+"/b", "no")
		f.wantAt("a", -10, 0)
	})
	t.Run(cite.ReactionOpportunitySubstitute+" one that provokes starts a chain", func(t *testing.T) {
		f := with(&eventv1.CelesiaAbility{Action: "grapple"})
		f.Answer(body.DecReaction+"/b", "instead:x")
		f.Answer(body.DecReaction+"/c", "no", 12)
		if !body.Has(f.Creature("a"), body.CondGrappled) {
			t.Error("not held")
		}
	})
	t.Run(cite.ReactionOpportunitySubstitute+" the ability itself, as often as it can be used", func(t *testing.T) {
		f := with(&eventv1.CelesiaAbility{Uses: 1, Provokes: true})
		f.wantOptions(body.DecReaction, append(attacks, "instead:x")...)
		f.Answer(body.DecReaction+"/b", "instead:x")
		f.Answer(body.DecReaction+"/c", "no")
		if f.Creature("b").Counters[body.CLeft+"x"] != 0 {
			t.Error("a use is spent")
		}
		wantRefusedAny(t, f.Try(act("b", "use-ability", "x", "")))
		for _, id := range []string{"a", "b", "c"} {
			f.End(id)
		}
		f.at("a", 0, 0)
		f.Must(act("a", "move", "", "", way(-10, 0)))
		f.wantOptions(body.DecReaction, attacks...)
	})
	t.Run(cite.ReactionOpportunitySubstitute+" not what cannot be done, and not without a threat", func(t *testing.T) {
		f := with(&eventv1.CelesiaAbility{Action: "steal"}) // with nothing to steal
		f.wantOptions(body.DecReaction, attacks...)
		f = with(&eventv1.CelesiaAbility{Action: "stand-up"})
		f.wantOptions(body.DecReaction, attacks...)
		f.Answer(body.DecReaction+"/b", "no")
		f.Must(act("a", "move", "", "", way(-20, 0))) // b is far off
		if len(f.Decisions) != 0 {
			t.Error(f.Decisions)
		}
	})
	t.Run("sheet", func(t *testing.T) {
		for field, a := range map[string]*eventv1.CelesiaAbility{
			"sheet.celesia.special_abilities[0].action": {Name: "x", Time: body.TimeSwift, Action: "trip"},
			"sheet.celesia.special_abilities[1].action": {Name: "y", Time: body.TimeOpportunity, Action: "end-turn"},
		} {
			list := []*eventv1.CelesiaAbility{a}
			if a.Name == "y" {
				list = []*eventv1.CelesiaAbility{{Name: "z", Time: body.TimeOpportunity}, a}
			}
			if bad := (System{}).CheckSheet(fighter("a", "party", abilities(list...))); len(bad) != 1 || bad[0].Field != field {
				t.Errorf("%v, want %s", bad, field)
			}
		}
	})
}
