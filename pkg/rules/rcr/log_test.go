package rcr

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rulestest"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// madeOf lists the parts of a number on a sheet.
func madeOf(number string, pairs ...any) func(*eventv1.Sheet) {
	return func(s *eventv1.Sheet) {
		m := &eventv1.SheetNumber{Number: number}
		for i := 0; i < len(pairs); i += 2 {
			m.Parts = append(m.Parts, &eventv1.SheetPart{Source: pairs[i].(string), Value: int32(pairs[i+1].(int))})
		}
		s.MadeOf = append(s.MadeOf, m)
	}
}

// What an attack must reach comes apart: by the sheet's own list, by the shield that it
// carries, by cover; a list that does not come to the number is not told.
//
// rcr.base.attack-and-critical, rcr.base.half-cover
func TestPartsOfArmor(t *testing.T) {
	shield := rcrSheet(func(s *eventv1.RcrSheet) { s.Shield = eventv1.RcrSheet_SHIELD_SHIELD })
	for _, c := range []struct {
		name   string
		change []func(*eventv1.Sheet)
		cover  string
		want   string
	}{
		{"one number", nil, "", "15 armour class on the sheet"},
		{"behind cover", nil, "half", "15 armour class on the sheet, 2 half cover"},
		{"behind more cover", nil, "three-quarters", "15 armour class on the sheet, 5 three-quarters cover"},
		{"a shield", []func(*eventv1.Sheet){shield}, "", "13 armour class on the sheet, 2 shield"},
		{"a shield of its own", []func(*eventv1.Sheet){shield, rcrSheet(func(s *eventv1.RcrSheet) { s.ShieldBonus = 3 })}, "", "12 armour class on the sheet, 3 shield"},
		{"listed", []func(*eventv1.Sheet){madeOf(rules.NumberArmor, "leather", 11, "Dexterity", 4)}, "half", "11 leather, 4 Dexterity, 2 half cover"},
		{"listed with the shield", []func(*eventv1.Sheet){shield, madeOf(rules.NumberArmor, "leather", 11, "Dexterity", 2, "shield", 2)}, "", "11 leather, 2 Dexterity, 2 shield"},
		{"listed wrongly", []func(*eventv1.Sheet){madeOf(rules.NumberArmor, "leather", 11, "Dexterity", 3)}, "", "15 armour class on the sheet"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t).add(fighter("a", "party", c.change...), fighter("b", "monsters")).start(nil, 5, 20)
			facts := []any{"distance", 5}
			if c.cover != "" {
				facts = append(facts, "cover", c.cover)
			}
			f.Must(act("b", "attack", "sword", "a", withFacts(facts...)), 2)
			if got := rulestest.Parts(f.Roll("to-hit").Target.Modifiers); got != c.want {
				t.Errorf("it must reach %s, want %s", got, c.want)
			}
			if left := rulestest.Unexplained(f.Log, 0); len(left) > 0 {
				t.Errorf("nothing explains %v", left)
			}
		})
	}
}

// The bonus of an attack comes apart where ability and proficiency come to it, and is
// one number where they do not: what else is in it nobody can know.
//
// rcr.base.attack-and-critical
func TestPartsOfABonus(t *testing.T) {
	sword := func(change func(*eventv1.RcrAttack)) func(*eventv1.Sheet) {
		return rcrSheet(func(s *eventv1.RcrSheet) { change(s.Attacks[0]) })
	}
	finesse := func(a *eventv1.RcrAttack) { a.Properties = append(a.Properties, "finesse") }
	for _, c := range []struct {
		name   string
		change []func(*eventv1.Sheet)
		want   string
	}{
		{"strength", []func(*eventv1.Sheet){ability("strength", 14)}, "2 strength, 3 proficiency"},
		{"strength does not come to it", []func(*eventv1.Sheet){ability("strength", 16)}, "5 sword on the sheet"},
		{"dexterity is not asked", []func(*eventv1.Sheet){ability("dexterity", 14)}, "5 sword on the sheet"},
		{"finesse", []func(*eventv1.Sheet){ability("dexterity", 14), sword(finesse)}, "2 dexterity, 3 proficiency"},
		{"no proficiency", []func(*eventv1.Sheet){ability("strength", 20)}, "5 strength"},
		{"magic", []func(*eventv1.Sheet){ability("strength", 12), sword(func(a *eventv1.RcrAttack) { a.Magical = true })}, "1 strength, 3 proficiency, 1 magic"},
		{"what is over is not magic by itself", []func(*eventv1.Sheet){ability("strength", 12)}, "5 sword on the sheet"},
		{"a spell", []func(*eventv1.Sheet){ability("strength", 14), sword(func(a *eventv1.RcrAttack) { a.Spell = true })}, "5 sword on the sheet"},
		{"listed", []func(*eventv1.Sheet){ability("strength", 14), madeOf(rules.NumberAttack+"sword", "Charisma", 4, "pact", 1)}, "4 Charisma, 1 pact"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t).add(fighter("a", "party", c.change...), fighter("b", "monsters")).start(nil, 20, 5)
			f.Must(act("a", "attack", "sword", "b", withFacts("distance", 5)), 2)
			if got := rulestest.Parts(f.Roll("to-hit").Modifiers); got != c.want {
				t.Errorf("the bonus is %s, want %s", got, c.want)
			}
		})
	}
}

// A list of parts of a number that there is not is refused, by its field.
func TestPartsOfNothing(t *testing.T) {
	for _, c := range []struct {
		name   string
		change []func(*eventv1.Sheet)
		field  string
	}{
		{"no such number", []func(*eventv1.Sheet){madeOf("armour", "leather", 15)}, "sheet.made_of[0].number"},
		{"no such attack", []func(*eventv1.Sheet){madeOf("attack/axe", "strength", 5)}, "sheet.made_of[0].number"},
		{"twice", []func(*eventv1.Sheet){madeOf(rules.NumberArmor, "a", 15), madeOf(rules.NumberArmor, "b", 15)}, "sheet.made_of[1].number"},
		{"no source", []func(*eventv1.Sheet){madeOf(rules.NumberArmor, "", 15)}, "sheet.made_of[0].parts[0].source"},
	} {
		f := newTable(t)
		err := f.Try(&eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: fighter("a", "party", c.change...)}}})
		got, ok := fault.As(err)
		if !ok || len(got.Violations) != 1 || got.Violations[0].Field != "add."+c.field && got.Violations[0].Field != c.field {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// An attack names its roll and the facts that it went by, each stated or measured. What
// is measured of somebody whose place is hidden is not told.
//
// rcr.base.attack-and-critical
func TestAttackTellsItsFacts(t *testing.T) {
	f := newTable(t).add(fighter("a", "party"), fighter("b", "monsters")).start(nil, 20, 5)
	f.Must(act("a", "attack", "sword", "b", withFacts("distance", 5, "cover", "half")), 2)
	if got := rulestest.Told(f.Attack()); got != "distance 5 feet stated, cover half stated" {
		t.Errorf("stated: %q", got)
	}
	if got, roll := f.Attack().Roll, f.Roll("to-hit"); got.GetLabel() != roll.Label || got.Branch != roll.Branch || got.Index != roll.Index {
		t.Errorf("decided by %v, rolled %v", got, roll)
	}
	f = newTable(t)
	f.AddAt(0, 0, fighter("a", "party"))
	f.AddAt(5, 0, fighter("b", "monsters"))
	f.start(nil, 20, 5)
	f.Must(act("a", "attack", "sword", "b"), 2)
	if got := rulestest.Told(f.Attack()); got != "distance 5 feet measured" {
		t.Errorf("measured: %q", got)
	}
	f = newTable(t)
	f.AddAt(0, 0, fighter("a", "party"))
	f.AddAt(5, 0, fighter("b", "monsters"))
	f.start(nil, 20, 5)
	f.Afflict("b", body.CondHidden)
	f.Must(act("a", "attack", "sword", "b"), 2, 3)
	if got := rulestest.Told(f.Attack()); got != "" {
		t.Errorf("of somebody hidden: %q", got)
	}
}

// What a saving throw or a reaction halves is written out.
//
// rcr.base.fifth-edition-fallback
func TestHalvingsAreWrittenOut(t *testing.T) {
	dodger := rcrSheet(func(s *eventv1.RcrSheet) { s.Traits = []string{body.TraitUncannyDodge} })
	for _, c := range []struct {
		answer string
		want   int
		taken  int32
	}{{"no", 0, 8}, {body.TraitUncannyDodge, 1, 4}} {
		f := newTable(t).add(fighter("a", "party", dodger), fighter("b", "monsters")).start(nil, 5, 20)
		f.Must(act("b", "attack", "sword", "a", withFacts("distance", 5)), 15)
		f.Answer("defend", c.answer, 5)
		var part *eventv1.DamagePart
		for _, e := range f.Log {
			if d := e.GetDamage(); d != nil {
				part = d.Parts[0]
			}
		}
		if len(part.GetFactors()) != c.want || part.GetTaken() != c.taken {
			t.Errorf("%s: %v", c.answer, part)
		}
		if c.want > 0 && (part.Factors[0].Before != 8 || part.Factors[0].Over != 2 || part.Factors[0].After != 4) {
			t.Errorf("%v", part.Factors)
		}
	}
}

// What only keeps the books of reach says so; what people are told does not.
func TestBookkeepingSaysSo(t *testing.T) {
	f := newTable(t)
	f.AddAt(0, 0, fighter("a", "party"))
	f.AddAt(20, 0, fighter("b", "monsters"))
	f.start(nil, 20, 5)
	f.Must(&eventv1.Command{What: &eventv1.Command_Take{Take: &eventv1.TakeAction{Creature: "a", Action: "move", Path: []*eventv1.Position{{X: 15}}}}})
	seen := false
	for _, e := range f.Events {
		switch {
		case e.GetRelation().GetRelation().GetKind() == body.RelEntered:
			seen = true
			if !e.Bookkeeping {
				t.Errorf("told to people: %v", e)
			}
		case e.Bookkeeping:
			t.Errorf("kept from people: %v", e)
		}
	}
	if !seen {
		t.Error("it has entered nobody's reach")
	}
}
