package rcr

import (
	"strings"
	"testing"

	content "github.com/skaldrpg/skald/pkg/content/rcr"
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
		{"a feature that is undecided", rcrSheet(func(s *eventv1.RcrSheet) { s.Features = []*eventv1.RcrFeature{{Name: "freeze"}} }), "sheet.rcr.features[0].name", "for the table to say"},
		{"a weapon with a property that nobody tells of", rcrSheet(func(s *eventv1.RcrSheet) {
			s.Attacks = append(s.Attacks, &eventv1.RcrAttack{Name: "flail", ReachFeet: 5, Properties: []string{"light", "trip"}})
		}), "sheet.rcr.attacks[2].properties[1]", "equipment"},
		{"a stench without a saving throw", trait(body.TraitStench), "sheet.rcr.traits[0]", "no saving throw"},
		{"a burst without a type", rcrSheet(func(s *eventv1.RcrSheet) {
			s.Features = []*eventv1.RcrFeature{{Name: "death burst", Dice: "2d6", Save: &eventv1.RcrSave{Ability: "dexterity", Dc: 11}}}
		}), "sheet.rcr.features[0].name", "no dice, type and saving throw"},
		{"a breath held for nobody knows how long", trait(body.TraitHoldBreath), "sheet.rcr.traits[0]", "no number of minutes"},
		{"a breath held for 15 minutes", rcrSheet(func(s *eventv1.RcrSheet) { s.Features = []*eventv1.RcrFeature{{Name: "hold breath", Number: 15}} }), "", ""},
		{"a regeneration of nothing", trait("regeneration"), "sheet.rcr.traits[0]", "does not say what it regenerates"},
		{"a parry without a power", trait("parry"), "sheet.rcr.traits[0]", "no power"},
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

// Every row of the table of traits without a rule is said to be left to people, alone or
// with numbers, and of those with a rule none that the sheet has all that it needs for.
func TestEveryTraitDecidedOrSaid(t *testing.T) {
	all, err := content.Traits()
	if err != nil || len(all) < 200 {
		t.Fatalf("%d traits, %v", len(all), err)
	}
	full := func(name string) func(*eventv1.Sheet) {
		return rcrSheet(func(s *eventv1.RcrSheet) {
			s.Level, s.Regeneration = 5, &eventv1.RcrRegeneration{Amount: 5}
			s.Features = []*eventv1.RcrFeature{{Name: name, Dice: "1d6", Type: "fire", Feet: 10, Number: 1, Save: &eventv1.RcrSave{Ability: "dexterity", Dc: 11}}}
			s.Resources = []*eventv1.RcrResource{{Name: name, Current: 1, Max: 1}}
			if name == "rage" || name == "parry" {
				s.Powers = []*eventv1.RcrPower{{Name: name, Cost: "bonus"}}
			}
		})
	}
	for _, row := range all {
		sheets := map[string]*eventv1.Sheet{"by name": fighter("a", "party", trait(row.Name)), "with numbers": fighter("a", "party", full(row.Name))}
		for how, s := range sheets {
			if v := (System{}).CheckSheet(s); len(v) > 0 {
				t.Errorf("%s %s: %v", row.Name, how, v)
			}
			left := rules.LeftToPeople(System{}, nil, s)
			switch {
			case row.Rule == "" && len(left) != 1:
				t.Errorf("%s %s: no rule decides it, and nothing is said: %v", row.Name, how, left)
			case row.Rule != "" && how == "with numbers" && len(left) > 0:
				t.Errorf("%s: %v", row.Name, left)
			}
		}
	}
}
