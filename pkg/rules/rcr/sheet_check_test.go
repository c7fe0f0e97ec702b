package rcr

import (
	"errors"
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/dice"
	"github.com/skaldrpg/skald/pkg/fault"
	thedice "github.com/skaldrpg/skald/pkg/rules/rcr/dice"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Each mistake of a sheet is named with its field.
func TestCheckSheet(t *testing.T) {
	for _, c := range []struct {
		name  string
		spoil func(*eventv1.Sheet)
		field string
	}{
		{"no section", func(s *eventv1.Sheet) { s.Section = nil }, "sheet.rcr"},
		{"size", func(s *eventv1.Sheet) { s.Size = "big" }, "sheet.size"},
		{"ability unknown", ability("luck", 10), "sheet.abilities[luck]"},
		{"ability too high", ability("strength", 31), "sheet.abilities[strength]"},
		{"speed below 0", func(s *eventv1.Sheet) { s.Speeds["walk"] = -5 }, "sheet.speeds[walk]"},
		{"armour class", rcrSheet(func(s *eventv1.RcrSheet) { s.ArmorClass = 0 }), "sheet.rcr.armor_class"},
		{"level", rcrSheet(func(s *eventv1.RcrSheet) { s.Level = 21 }), "sheet.rcr.level"},
		{"challenge rating", rcrSheet(func(s *eventv1.RcrSheet) { s.ChallengeRating = "1/3" }), "sheet.rcr.challenge_rating"},
		{"save", rcrSheet(func(s *eventv1.RcrSheet) { s.Saves = map[string]int32{"dex": 3} }), "sheet.rcr.saves[dex]"},
		{"slots", rcrSheet(func(s *eventv1.RcrSheet) { s.SpellSlots = make([]int32, 10) }), "sheet.rcr.spell_slots"},
		{"attack without a name", rcrSheet(func(s *eventv1.RcrSheet) { s.Attacks[0].Name = "" }), "sheet.rcr.attacks[0].name"},
		{"attack twice", rcrSheet(func(s *eventv1.RcrSheet) { s.Attacks[1].Name = "sword" }), "sheet.rcr.attacks[1].name"},
		{"attack called no", rcrSheet(func(s *eventv1.RcrSheet) { s.Attacks[1].Name = "no" }), "sheet.rcr.attacks[1].name"},
		{"attack without reach or range", rcrSheet(func(s *eventv1.RcrSheet) { s.Attacks[0].ReachFeet = 0 }), "sheet.rcr.attacks[0]"},
		{"damage", rcrSheet(func(s *eventv1.RcrSheet) { s.Attacks[0].Damage[0].Dice = "1d" }), "sheet.rcr.attacks[0].damage[0].dice"},
		{"hand", rcrSheet(func(s *eventv1.RcrSheet) { s.Attacks[0].Hand = "third" }), "sheet.rcr.attacks[0].hand"},
		{"save of an attack", rcrSheet(func(s *eventv1.RcrSheet) { s.Attacks[0].Save = &eventv1.RcrSave{Ability: "luck"} }), "sheet.rcr.attacks[0].save.ability"},
		{"multiattack of nothing", rcrSheet(func(s *eventv1.RcrSheet) {
			s.Multiattack = []*eventv1.RcrMultiattack{{Name: "x", Parts: []*eventv1.RcrMultiattackPart{{Name: "tail", Count: 1}}}}
		}), "sheet.rcr.multiattack[0].parts[0].name"},
		{"cost of a power", rcrSheet(func(s *eventv1.RcrSheet) { s.Powers = []*eventv1.RcrPower{{Name: "x", Cost: "mana"}} }), "sheet.rcr.powers[0].cost"},
		{"level of a spell", rcrSheet(func(s *eventv1.RcrSheet) { s.Spells = []*eventv1.RcrSpell{{Name: "x", Level: 10}} }), "sheet.rcr.spells[0].level"},
		{"healing of an item", rcrSheet(func(s *eventv1.RcrSheet) { s.Items = []*eventv1.RcrItem{{Name: "x", Healing: "a lot"}} }), "sheet.rcr.items[0].healing"},
		{"hit dice spent", rcrSheet(func(s *eventv1.RcrSheet) { s.HitDice[0].Spent = 6 }), "sheet.rcr.hit_dice[0].spent"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := fighter("a", "party")
			if v := (System{}).CheckSheet(s); len(v) > 0 {
				t.Fatalf("wrong before: %v", v)
			}
			c.spoil(s)
			v := (System{}).CheckSheet(s)
			if !slices.ContainsFunc(v, func(v fault.Violation) bool { return v.Field == c.field }) {
				t.Fatalf("%v, want %s", v, c.field)
			}
		})
	}
}

// A doubled expression is one that can be rolled. rcr.base.attack-and-critical
func FuzzDoubleDice(f *testing.F) {
	for _, s := range []string{"1d8+3", "d6", "2d10+1d6-1", "5", "4d6kh3", "(1d6+2)*2", "dF", "12d%"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, expr string) {
		if len(expr) > 60 {
			return
		}
		if _, err := dice.Parse(expr); err != nil {
			return
		}
		doubled := thedice.DoubleDice(expr)
		if _, err := dice.Parse(doubled); err != nil {
			var limit *dice.LimitError
			if errors.As(err, &limit) {
				return
			}
			t.Fatalf("%q doubled is %q: %v", expr, doubled, err)
		}
	})
}
