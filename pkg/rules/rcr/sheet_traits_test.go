package rcr

import (
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// A trait that no code decides is no mistake and no silence: the check of the sheet
// says it.
func TestLeftToPeople(t *testing.T) {
	for _, c := range []struct {
		name  string
		sheet func(*eventv1.Sheet)
		field string // empty: nothing is left to people
		says  string
	}{
		{"an undecided trait", trait("web sense"), "sheet.rcr.traits[0]", "for the table to say"},
		{"whatever the case of its letters", trait("Web Sense"), "sheet.rcr.traits[0]", "for the table to say"},
		{"a decided trait", trait("pack tactics"), "", ""},
		{"a trait with effects", trait("lucky"), "", ""},
		{"a charge without numbers", trait("charge"), "sheet.rcr.traits[0]", "no numbers"},
		{"a charge with numbers", rcrSheet(func(s *eventv1.RcrSheet) { s.Features = []*eventv1.RcrFeature{{Name: "charge", Feet: 20, Dice: "1d6"}} }), "", ""},
		{"a feature that is undecided", rcrSheet(func(s *eventv1.RcrSheet) { s.Features = []*eventv1.RcrFeature{{Name: "stench"}} }), "sheet.rcr.features[0].name", "for the table to say"},
		{"a rage without a power", trait("rage"), "sheet.rcr.traits[0]", "no power"},
		{"a rage that is a power", rcrSheet(func(s *eventv1.RcrSheet) {
			s.Traits, s.Powers = []string{"rage"}, []*eventv1.RcrPower{{Name: "rage", Cost: "bonus"}}
		}), "", ""},
		{"a second wind that nobody counts", trait(body.TraitSecondWind), "sheet.rcr.traits[0]", "counts no uses"},
		{"a sneak attack by level", trait(body.TraitSneakAttack), "", ""},
		{"a sneak attack of nobody's level", rcrSheet(func(s *eventv1.RcrSheet) { s.Level, s.Traits = 0, []string{body.TraitSneakAttack} }), "sheet.rcr.traits[0]", "neither a level nor dice"},
	} {
		s := fighter("a", "party", c.sheet)
		if v := (System{}).CheckSheet(s); len(v) > 0 {
			t.Errorf("%s: a mistake: %v", c.name, v)
		}
		got := rules.LeftToPeople(System{}, nil, s)
		switch {
		case c.field == "" && len(got) > 0:
			t.Errorf("%s: %v", c.name, got)
		case c.field != "" && (len(got) != 1 || got[0].Field != c.field || !strings.Contains(got[0].Description, c.says)):
			t.Errorf("%s: %v, want %s: %s", c.name, got, c.field, c.says)
		}
	}
	wantField(t, fault.Fields(System{}.CheckSheet(fighter("a", "party", trait("pack tactic")))), "sheet.rcr.traits[0]", "did you mean pack tactics")
}

// Every trait of a shipped sheet and of the importer's is decided or said to be left to
// people, and each rule of the table is one of the book.
func TestShippedTraits(t *testing.T) {
	left := map[string]bool{}
	for _, s := range cast(t) {
		for _, v := range rules.LeftToPeople(System{}, nil, s) {
			left[strings.Split(v.Description, `"`)[1]] = true
		}
	}
	for _, name := range []string{"sneak attack", "lucky", "reckless attack", "aggressive", "nimble escape", "pack tactics", "undead fortitude", "keen smell", "rage"} {
		if left[name] {
			t.Errorf("%s is said to be undecided", name)
		}
	}
	for _, name := range []string{"spider climb", "arcane recovery"} {
		if !left[name] {
			t.Errorf("%s is not said to be undecided", name)
		}
	}
}
