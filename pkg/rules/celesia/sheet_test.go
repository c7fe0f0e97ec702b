package celesia

import (
	"os"
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/mending"
	"github.com/skaldrpg/skald/pkg/sheet"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func TestCheckSheet(t *testing.T) {
	if v := (System{}).CheckSheet(fighter("a", "party")); len(v) != 0 {
		t.Fatalf("a good sheet: %v", v)
	}
	for field, change := range map[string]func(*eventv1.CelesiaSheet){
		"sheet.celesia.weapons[0].dice":          func(c *eventv1.CelesiaSheet) { c.Weapons[0].Dice = "1d8+1" },
		"sheet.celesia.weapons[0].kind":          func(c *eventv1.CelesiaSheet) { c.Weapons[0].Kind = "sharp" },
		"sheet.celesia.weapons[1].name":          func(c *eventv1.CelesiaSheet) { c.Weapons[1].Name = "sword" },
		"sheet.celesia.weapons[0].hands":         func(c *eventv1.CelesiaSheet) { c.Weapons[0].Hands = 0 },
		"sheet.celesia.weapons[2].range_feet":    func(c *eventv1.CelesiaSheet) { c.Weapons[2].RangeFeet = 0 },
		"sheet.celesia.weapons[2].hand":          func(c *eventv1.CelesiaSheet) { c.Weapons[2].Hand = "both" },
		"sheet.celesia.weapons[0].extra[0].dice": func(c *eventv1.CelesiaSheet) { c.Weapons[0].Extra = []*eventv1.CelesiaDice{{Dice: "x"}} },
		"sheet.celesia.features[0]":              func(c *eventv1.CelesiaSheet) { c.Features = []string{"luck"} },
		"sheet.celesia.immunities[0]":            func(c *eventv1.CelesiaSheet) { c.Immunities = []string{"fire"} },
		"sheet.celesia.skills[juggling]":         func(c *eventv1.CelesiaSheet) { c.Skills = map[string]int32{"juggling": 1} },
		"sheet.celesia.level":                    func(c *eventv1.CelesiaSheet) { c.Level = 0 },
		"sheet.celesia.precision_dice":           func(c *eventv1.CelesiaSheet) { c.PrecisionDice = "lots" },
		"sheet.celesia." + "body.eyes":           func(c *eventv1.CelesiaSheet) { c.Body = &eventv1.CelesiaBody{Eyes: 99} },
		"sheet.celesia.spells[0].casting":        func(c *eventv1.CelesiaSheet) { c.Spells = []*eventv1.CelesiaSpell{{Name: "s", Casting: "slow"}} },
		"sheet.celesia.spells[0].dice_per_level": func(c *eventv1.CelesiaSheet) {
			c.Spells = []*eventv1.CelesiaSpell{{Name: "s", Casting: "standard", DicePerLevel: "much"}}
		},
		"sheet.celesia.things[0].name": func(c *eventv1.CelesiaSheet) { c.Things = []*eventv1.CelesiaThing{{Name: "sword"}} },
		"sheet.celesia.things[0].kind": func(c *eventv1.CelesiaSheet) { c.Things = []*eventv1.CelesiaThing{{Name: "x", Kind: "toy"}} },
		"sheet.celesia.things[0].place": func(c *eventv1.CelesiaSheet) {
			c.Things = []*eventv1.CelesiaThing{{Name: "x", Place: "main"}} // that hand holds the sword
		},
		"sheet.celesia.things[0].fastened": func(c *eventv1.CelesiaSheet) { c.Things = []*eventv1.CelesiaThing{{Name: "x", Fastened: 4}} },
		"sheet.celesia.things[0].spell": func(c *eventv1.CelesiaSheet) {
			c.Things = []*eventv1.CelesiaThing{{Name: "x", Kind: body.ThingTrigger}}
		},
		"sheet.celesia.things[0].spell.casting": func(c *eventv1.CelesiaSheet) {
			c.Things = []*eventv1.CelesiaThing{{Name: "x", Kind: body.ThingTrigger, Spell: &eventv1.CelesiaSpell{Name: "s"}}}
		},
		"sheet.celesia.weapons[0].load":        func(c *eventv1.CelesiaSheet) { c.Weapons[0].Load = body.LoadHeavy },
		"sheet.celesia.weapons[0].double_dice": func(c *eventv1.CelesiaSheet) { c.Weapons[0].DoubleDice = "1d6" },
		"sheet.celesia.weapons[0].fastened":    func(c *eventv1.CelesiaSheet) { c.Weapons[0].Fastened = 1 },
		"sheet.celesia.trained[0]":             func(c *eventv1.CelesiaSheet) { c.Trained = []string{"juggling"} },
		"sheet.celesia.special_abilities[0].time": func(c *eventv1.CelesiaSheet) {
			c.SpecialAbilities = []*eventv1.CelesiaAbility{{Name: "x", Time: "soon"}}
		},
		"sheet.celesia.special_abilities[0].supports": func(c *eventv1.CelesiaSheet) {
			c.SpecialAbilities = []*eventv1.CelesiaAbility{{Name: "x", Time: body.TimeFree, Supports: "flying"}}
		},
		"sheet.celesia.potions[0].healing": func(c *eventv1.CelesiaSheet) { c.Potions = []*eventv1.CelesiaPotion{{Name: "p", Healing: "much"}} },
	} {
		v := (System{}).CheckSheet(fighter("a", "party", section(change)))
		if !slices.ContainsFunc(v, func(v fault.Violation) bool { return v.Field == field }) {
			t.Errorf("want %s among %v", field, v)
		}
	}
	if v := (System{}).CheckSheet(&eventv1.Sheet{}); len(v) != 1 || v[0].Field != "sheet.celesia" {
		t.Errorf("no section: %v", v)
	}
}

func TestShippedSheets(t *testing.T) {
	const dir = "../../content/sheets/celesia"
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	sides := map[string]int{}
	for _, e := range entries {
		s, err := sheet.ParseFile(os.DirFS(dir), e.Name())
		if err != nil {
			t.Fatal(err)
		}
		if v := rules.CheckSheet(System{}, s); len(v) != 0 {
			t.Errorf("%s: %v", e.Name(), v)
		}
		sides[s.Side]++
	}
	if len(sides) != 2 || len(entries) < 6 {
		t.Errorf("%d sheets of sides %v", len(entries), sides)
	}
}

// celesia.healing.nonlethal-hourly, celesia.rest.burn-full-night-only, celesia.rest.nonlethal-before-burn
func TestTend(t *testing.T) {
	for _, tc := range []struct {
		rule            string
		level           int32
		tally, burn     int
		deed            string
		hours           float64
		wantTally, want int64
	}{
		{cite.HealingNonlethalHourly, 4, 15, 0, mending.DeedPassTime, 3, 3, 0},
		{"celesia.healing.nonlethal-hourly not below 0", 4, 15, 0, mending.DeedPassTime, 4, 0, 0},
		{cite.RestBurnFullNightOnly, 5, 0, 47, mending.DeedRest, 8, 0, 7},
		{"celesia.rest.burn-full-night-only broken off", 5, 0, 12, mending.DeedRest, 5, 0, 12},
		{cite.RestNonlethalBeforeBurn, 5, 12, 35, mending.DeedRest, 8, 0, 7},
		{"celesia.rest.nonlethal-before-burn little", 2, 20, 5, mending.DeedRest, 8, 4, 5},
	} {
		t.Run(tc.rule, func(t *testing.T) {
			f := patient(t, 100, 100, section(func(c *eventv1.CelesiaSheet) { c.Level = tc.level }))
			f.Count("p", body.CNonlethal, tc.tally, body.CBurn, tc.burn)
			f.Tend(&eventv1.PatientCommand{Deed: tc.deed, Patients: []string{"p"}, Parameters: object("hours", tc.hours)})
			if c := f.Creature("p").Counters; c[body.CNonlethal] != tc.wantTally || c[body.CBurn] != tc.want {
				t.Errorf("tallies %v, want %d and %d", c, tc.wantTally, tc.want)
			}
		})
	}
	f := patient(t, 40, 40)
	err := f.TryTend(&eventv1.PatientCommand{Deed: "leech", Patients: []string{"p"}})
	if err == nil {
		t.Error("an unknown deed was done")
	}
}
