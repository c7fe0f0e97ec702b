package rcr

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/answers"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// boon lays what changes a creature, by the game master's word.
func (f *table) boon(id, name string, changes map[string]int32) {
	f.T.Helper()
	if body.KnownName(rules.PlaceCondition, name) != "" {
		name = "effect." + name
	}
	f.Put(id, &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: name, Cause: name, Values: changes}}})
}

// rcr.base.fifth-edition-fallback: what effects change that are no conditions.
func TestChanges(t *testing.T) {
	t.Run("dice on attacks, added and taken off", func(t *testing.T) {
		f := duel(t)
		f.boon("a", "blessed", map[string]int32{"attack.d4": 1})
		f.boon("a", "baned", map[string]int32{"attack.d4": -1})
		f.Must(act("a", "attack", "sword", "b"), 3, 1, 8, 4) // 8 + 5 + 3 - 1
		if got := f.Roll("/to-hit").Total; got != 15 || f.Attack().Outcome != "hit" {
			t.Fatalf("%d, %s", got, f.Attack().Outcome)
		}
	})
	t.Run("the same effect twice counts once", func(t *testing.T) {
		f := duel(t)
		f.boon("a", "blessed", map[string]int32{"attack.d4": 1})
		f.boon("a", "blessed", map[string]int32{"attack.d4": 1})
		f.Must(act("a", "attack", "sword", "b"), 1, 5)
	})
	t.Run("rcr.dice.pairwise-cancel: advantage and disadvantage are sources like others", func(t *testing.T) {
		f := duel(t)
		f.boon("a", "reckless", map[string]int32{"advantage.attack": 1})
		f.boon("b", "lit", map[string]int32{"advantage.attacked": 1})
		f.Must(act("a", "attack", "sword", "b"), 2, 3, 4)
		f = duel(t)
		f.boon("a", "cursed", map[string]int32{"disadvantage.attack": 1})
		f.boon("b", "lit", map[string]int32{"advantage.attacked": 1})
		f.Must(act("a", "attack", "sword", "b"), 4)
	})
	t.Run("used up by the first attack", func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party", rcrSheet(func(s *eventv1.RcrSheet) { s.AttacksPerAction = 2 })), fighter("b", "monsters")).start(nil, 20, 5)
		f.boon("b", "lit", map[string]int32{"advantage.attacked": 1, "once": 1})
		f.Must(act("a", "attack", "sword", "b"), 2, 3)
		f.Must(act("a", "attack", "sword", "b"), 4)
	})
	t.Run("saving throws and checks, of one ability or all", func(t *testing.T) {
		f := duel(t)
		f.boon("a", "guarded", map[string]int32{"save": 2, "save.wisdom": 1, "check.dexterity.d6": 1, "advantage.check.strength": 1})
		f.Must(act("a", "called-save", "", "", withParameters("ability", "wisdom", "dc", 13)), 10)
		if got := f.Roll("save/a").Total; got != 13 {
			t.Fatalf("wisdom %d, want 13", got)
		}
		f.Must(act("a", "called-save", "", "", withParameters("ability", "dexterity", "dc", 13)), 10)
		if got := f.Roll("save/a").Total; got != 12 {
			t.Fatalf("dexterity %d, want 12", got)
		}
		f.Must(act("a", "called-check", "", "", withParameters("skill", "stealth", "dc", 13)), 4, 10)
		if got := f.Roll("check/stealth").Total; got != 14 {
			t.Fatalf("stealth %d, want 14", got)
		}
		f.Must(act("a", "called-check", "", "", withParameters("skill", "athletics", "dc", 13)), 4, 10)
	})
	t.Run("rcr.initiative.dex-or-int: initiative is a check, and has dice of its own", func(t *testing.T) {
		f := duel(t)
		f.boon("a", "quick", map[string]int32{"initiative": 5, "check": 1})
		f.End("a", 10)
		if got := answers.InitiativeOf(f.Creature("a"), 2).GetTotal(); got != 16 {
			t.Fatalf("%d, want 16", got)
		}
	})
	t.Run("rcr.base.death-save-frame: death saves are saving throws", func(t *testing.T) {
		f := medTable(t, bodied("a", 10, 40), 0, 0)
		f.boon("a", "blessed", map[string]int32{"save.d4": 1})
		f.deed(turnBegins("a"), 3, 7)
		if f.Creature("a").Counters[body.CDeathSuccesses] != 1 {
			t.Fatalf("%v", f.Creature("a").Counters)
		}
	})
	t.Run("armour class: the least, then what is added", func(t *testing.T) {
		f := duel(t)
		f.boon("b", "barkskin", map[string]int32{"armor-class-at-least": 16})
		f.boon("b", "shielded", map[string]int32{"armor-class": 2})
		f.Must(act("a", "attack", "sword", "b"), 12)
		if ac := f.Roll("/to-hit").Target.Value; ac != 18 {
			t.Fatalf("AC %d, want 18", ac)
		}
	})
	t.Run("speed: flat, then times, then halves; exhaustion comes off the flat", func(t *testing.T) {
		for _, c := range []struct {
			changes    map[string]int32
			exhaustion int
			wounds     int
			want       int32
		}{
			{map[string]int32{"speed": 10}, 0, 0, 40}, {map[string]int32{"speed-times": 2}, 0, 0, 60}, {map[string]int32{"speed": 10, "speed-times": 2}, 2, 0, 70},
			{map[string]int32{"speed": 10}, 0, 2, 20}, {map[string]int32{"speed": -10}, 0, 0, 20},
		} {
			f := duel(t)
			f.boon("a", "swift", c.changes)
			f.Count("a", body.CExhaustion, c.exhaustion, body.CWounds, c.wounds)
			if got := body.SpeedIn(f.State, "a", "walk"); got != c.want {
				t.Errorf("rcr.injury.row2-crippled-speed: %v: %d, want %d", c, got, c.want)
			}
		}
	})
	t.Run("rcr.condition.helpless-incapacitated, rcr.condition.restrained-speed: no bonus to speed helps", func(t *testing.T) {
		for _, held := range []string{body.CondHelpless, body.CondRestrained} {
			f := duel(t)
			f.boon("a", "hasted", map[string]int32{"speed": 30, "speed-times": 2})
			f.Afflict("a", held)
			if got := body.SpeedIn(f.State, "a", "walk"); got != 0 {
				t.Errorf("%s: %d", held, got)
			}
		}
	})
	t.Run("damage: flat on the weapon's, dice of a type of their own, doubled by a critical hit", func(t *testing.T) {
		f := duel(t)
		f.boon("a", "favoured", map[string]int32{"damage": 2, "damage.radiant.d4": 1, "damage.d6": 1})
		f.Must(act("a", "attack", "sword", "b"), 20, 1, 2, 3, 4, 1, 2) // 1d8 and 1d6, then 1d4, each twice
		var total int32
		for _, r := range f.Rolls("/damage") {
			total += r.Total
		}
		if total != 1+2+3+2+3+4+1+2 {
			t.Fatalf("%d damage: %v", total, f.Rolls("/damage"))
		}
	})
	t.Run("resistance once, with that of the sheet", func(t *testing.T) {
		f := medTable(t, bodied("a", 10, 40, rcrSheet(func(s *eventv1.RcrSheet) { s.Resistances = []*eventv1.RcrDefense{{Type: "slashing"}} })), 40, 0)
		f.boon("a", "stoneskin", map[string]int32{"resist.slashing": 1})
		if got := f.deed(hit("a", 9)).Taken; got != 4 {
			t.Fatalf("%d taken, want 4", got)
		}
		f.boon("a", "warded", map[string]int32{"immune.all": 1})
		if got := f.deed(hit("a", 9)).Taken; got != 0 {
			t.Fatalf("%d taken", got)
		}
	})
	t.Run("temporary hit points", func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party", rcrSheet(func(s *eventv1.RcrSheet) {
			s.Powers = []*eventv1.RcrPower{{Name: "heroism", Cost: "bonus", Effects: []*eventv1.RcrEffect{{Condition: "effect.heroic", TemporaryHitPoints: "1d6+2"}}}}
		})), fighter("b", "monsters")).start(nil, 20, 5)
		f.Must(act("a", "use-power", "heroism", ""), 5)
		if got := f.Creature("a").GetHpTemp(); got != 7 {
			t.Fatalf("%d, want 7", got)
		}
	})
}

// rcr.base.fifth-edition-fallback: reactions to a hit.
func TestReactionsToHits(t *testing.T) {
	parry := rcrSheet(func(s *eventv1.RcrSheet) {
		s.Powers = []*eventv1.RcrPower{{Name: "parry", Cost: "reaction", Effects: []*eventv1.RcrEffect{{Condition: "parrying", Once: true, Changes: map[string]int32{"armor-class": 2}}}}}
	})
	fight := func(change func(*eventv1.Sheet)) *table {
		return newTable(t).add(fighter("a", "party", rcrSheet(func(s *eventv1.RcrSheet) { s.AttacksPerAction = 3 })), fighter("b", "monsters", change)).start(nil, 20, 5)
	}
	t.Run("a parry turns one attack aside", func(t *testing.T) {
		f := fight(parry)
		f.Must(act("a", "attack", "sword", "b"), 11) // 16 against 15
		f.Answer(strike.DecDefend, "react/parry")
		if f.Attack().Outcome != "miss" || f.Creature("b").Counters[body.CReaction] != 0 || body.Has(f.Creature("b"), "parrying") {
			t.Fatalf("%s, %v", f.Attack().Outcome, f.Creature("b").Conditions)
		}
		f.Must(act("a", "attack", "sword", "b"), 11, 4) // no reaction left
	})
	t.Run("not enough", func(t *testing.T) {
		f := fight(parry)
		f.Must(act("a", "attack", "sword", "b"), 12)
		f.Answer(strike.DecDefend, "react/parry", 4)
		if f.Attack().Outcome != "hit" || f.Creature("b").GetHp() != 33 {
			t.Fatal(f.Attack().Outcome)
		}
	})
	t.Run("not against arrows, nor a miss, nor who is not seen", func(t *testing.T) {
		f := fight(parry)
		f.Must(act("a", "attack", "bow", "b"), 11, 4)
		f.Must(act("a", "attack", "sword", "b"), 4)
		f.Afflict("a", body.CondInvisible)
		f.Must(act("a", "attack", "sword", "b"), 11, 4, 4)
	})
	t.Run("a natural 20 hits whatever the armour class", func(t *testing.T) {
		f := fight(parry)
		f.Must(act("a", "attack", "sword", "b"), 20)
		f.Answer(strike.DecDefend, "react/parry", 1, 1)
		if f.Attack().Outcome != "critical" {
			t.Fatal(f.Attack().Outcome)
		}
	})
	t.Run("uncanny dodge halves", func(t *testing.T) {
		f := fight(rcrSheet(func(s *eventv1.RcrSheet) { s.Traits = []string{body.TraitUncannyDodge} }))
		f.Must(act("a", "attack", "sword", "b"), 15)
		f.Answer(strike.DecDefend, body.TraitUncannyDodge, 8) // 11
		if f.Creature("b").GetHp() != 35 {
			t.Fatal(f.Creature("b").GetHp())
		}
	})
	t.Run("a standing order takes every hit", func(t *testing.T) {
		f := fight(parry)
		f.Must(&eventv1.Command{What: &eventv1.Command_Order{Order: &eventv1.SetStandingOrder{Creature: "b", Decision: strike.DecDefend, Order: "no"}}})
		f.Must(act("a", "attack", "sword", "b"), 15, 4)
	})
	t.Run("rcr.surprise.one-action: no reactions in the surprise round", func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party"), fighter("b", "monsters", parry), fighter("c", "party")).start([]string{"b"}, 20, 10)
		f.Must(act("a", "attack", "sword", "b"), 15, 4)
	})
}
