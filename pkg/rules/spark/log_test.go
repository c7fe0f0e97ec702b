package spark

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rulestest"
	"github.com/skaldrpg/skald/pkg/rules/spark/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// The armour class comes apart: the Dexterity modifier that the sheet's number
// contains, and no word of the injury that lowers it; a penalty stays.
//
// spark.attack.roll, spark.fumble.alt-pulled-legs
func TestPartsOfArmor(t *testing.T) {
	dexterity := func(n int32) func(*eventv1.SparkSheet) {
		return func(s *eventv1.SparkSheet) { s.DexterityModifier = n }
	}
	for _, c := range []struct {
		name   string
		sheet  *eventv1.Sheet
		pulled bool
		want   string
	}{
		{"one number", fighter("a", "party"), false, "14 armour class on the sheet"},
		{"with Dexterity", fighter("a", "party", dexterity(3)), false, "11 armour class on the sheet, 3 Dexterity"},
		{"with a penalty", fighter("a", "party", dexterity(-1)), true, "15 armour class on the sheet, -1 Dexterity"},
		{"with a pulled leg", fighter("a", "party", dexterity(3)), true, "11 armour class"},
		{"listed", &eventv1.Sheet{Section: &eventv1.Sheet_Spark{Spark: &eventv1.SparkSheet{ArmorClass: 14, DexterityModifier: 3}},
			MadeOf: []*eventv1.SheetNumber{{Number: rules.NumberArmor, Parts: []*eventv1.SheetPart{{Source: "mail", Value: 14}}}}}, false, "11 armour class on the sheet, 3 Dexterity"},
		{"listed in parts", &eventv1.Sheet{Section: &eventv1.Sheet_Spark{Spark: &eventv1.SparkSheet{ArmorClass: 14, DexterityModifier: 3}},
			MadeOf: []*eventv1.SheetNumber{{Number: rules.NumberArmor, Parts: []*eventv1.SheetPart{{Source: "mail", Value: 11}, {Source: "Dexterity", Value: 3}}}}}, false, "11 mail, 3 Dexterity"},
	} {
		who := &eventv1.Creature{Id: "a", Sheet: c.sheet}
		if c.pulled {
			who.Injuries = []*eventv1.Injury{{Id: "i", Kind: body.InjuryLegs}}
		}
		got := body.ArmorNumber(who)
		if parts := rulestest.Parts(got.Modifiers); parts != c.want || got.Value != body.ArmorOf(who) {
			t.Errorf("%s: %s come to %d, want %s to %d", c.name, parts, got.Value, c.want, body.ArmorOf(who))
		}
	}
}
