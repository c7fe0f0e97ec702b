package basic

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/rules/rulestest"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// everything is a sheet with one of each list.
func everything() *eventv1.Sheet {
	return make1("ara", "party", section(func(s *eventv1.BasicSheet) {
		s.Weapons = append(s.Weapons, &eventv1.BasicWeapon{Name: "bow", Damage: "1d6", Kind: "bow", Hand: "stowed", ShortFeet: 50, MediumFeet: 10_000, LongFeet: 10_000},
			&eventv1.BasicWeapon{Name: "oil", Kind: "grenade", Contents: "oil", Hand: "stowed", ShortFeet: 10, MediumFeet: 20, LongFeet: 30})
		s.Tags = []string{"elf"}
		s.Saves, s.Ammunition = map[string]int32{"wands": 12}, map[string]int32{"arrows": 20}
		s.Spells = []*eventv1.BasicSpell{{Name: "bolt"}}
		s.Items = []*eventv1.BasicItem{{Name: "ring", Effect: &eventv1.BasicSpell{}}}
		s.Routine = []string{"sword"}
	}))
}

// What a sheet may hold ends where it says, on both sides.
func TestBordersOfASheet(t *testing.T) {
	rows := map[string][2]int32{"abilities[constitution]": {1, 30}, "speeds[walk]": {0, 1000}, "basic.armor_class": {1, 60},
		"basic.touch_armor_class": {0, 60}, "basic.attack_bonus": {-20, 60}, "basic.strength_modifier": {-10, 20}, "basic.dexterity_modifier": {-10, 20},
		"basic.sneak_attack_bonus": {0, 20}, "basic.ammunition[arrows]": {0, 10_000},
		"basic.weapons[0].rate_rounds": {0, 100}, "basic.weapons[1].short_feet": {1, 10_000},
		"basic.weapons[0].reload_rounds": {0, 100}, "basic.weapons[0].spares": {0, 100}, "basic.weapons[0].magic_bonus": {-20, 20},
		"basic.weapons[0].attack_bonus": {-20, 20}, "basic.spells[0].uses": {0, 100}, "basic.spells[0].targets": {0, 100},
		"basic.spells[0].range_feet": {0, 10_000}, "basic.items[0].effect.uses": {0, 100}, "basic.items[0].effect.targets": {0, 100},
		"basic.items[0].effect.range_feet": {0, 10_000}}
	for _, category := range []string{"death-ray", "wands", "paralysis", "dragon-breath", "spells"} {
		rows["basic.saves["+category+"]"] = [2]int32{1, 40}
	}
	rulestest.Borders(t, System{}, everything, rows)
}

// A word of a sheet is one of those that the rules know.
func TestWordsOfASheet(t *testing.T) {
	rulestest.SheetWords(t, System{}, everything, map[string][]string{
		"size": {"tiny", "small", "medium", "large", "huge", "gargantuan"}, "basic.armor_material": {"none", "leather", "metal", "other"},
		"basic.tags[0]":              {"elf", "undead", "fire-resistant", "fire-based", "needs-magic", "needs-silver", "no-brawl"},
		"basic.weapons[1].kind":      {"melee", "thrown", "bow", "crossbow", "sling", "siege", "grenade"},
		"basic.weapons[0].hand":      {"", "main", "off", "both", "stowed"},
		"basic.weapons[0].damage":    {"1d8", "2d4+1"},
		"basic.weapons[2].damage":    {"", "1d8"},
		"basic.spells[0].damage":     {"", "2d6", "3d4+3"},
		"basic.spells[0].healing":    {"", "1d8"},
		"basic.spells[0].save":       {"", "death-ray", "wands", "paralysis", "dragon-breath", "spells"},
		"basic.items[0].effect.save": {"", "wands"},
		"basic.routine[0]":           {"sword", "bow", "oil"},
	})
}

// What a field may hold hangs on others, each of which counts by itself.
func TestFieldsThatHangTogether(t *testing.T) {
	first := func(change func(*eventv1.BasicWeapon)) func(*eventv1.BasicSheet) {
		return func(s *eventv1.BasicSheet) { change(s.Weapons[0]) }
	}
	ranges := func(short, medium, long int32) func(*eventv1.BasicSheet) {
		return func(s *eventv1.BasicSheet) {
			s.Weapons[1].ShortFeet, s.Weapons[1].MediumFeet, s.Weapons[1].LongFeet = short, medium, long
		}
	}
	held := func(shield bool, twoHanded bool, hands ...string) func(*eventv1.BasicSheet) {
		return func(s *eventv1.BasicSheet) {
			s.Shield = shield
			for i, hand := range hands {
				s.Weapons[i].Hand = hand
			}
			s.Weapons[0].TwoHanded = twoHanded
		}
	}
	named := func(n int) func(*eventv1.BasicSheet) {
		return func(s *eventv1.BasicSheet) { s.Items[0].Name, s.Routine = string(make([]byte, n)), nil }
	}
	list := func(n int, fill func(s *eventv1.BasicSheet, name string)) func(*eventv1.BasicSheet) {
		return func(s *eventv1.BasicSheet) {
			s.Weapons, s.Spells, s.Items, s.Routine = nil, nil, nil, nil
			for i := range n {
				fill(s, "x"+string(rune('a'+i/26))+string(rune('a'+i%26)))
			}
		}
	}
	weapons := func(s *eventv1.BasicSheet, name string) {
		s.Weapons = append(s.Weapons, &eventv1.BasicWeapon{Name: name, Damage: "1d4", Kind: "melee", Natural: true})
	}
	spells := func(s *eventv1.BasicSheet, name string) { s.Spells = append(s.Spells, &eventv1.BasicSpell{Name: name}) }
	items := func(s *eventv1.BasicSheet, name string) { s.Items = append(s.Items, &eventv1.BasicItem{Name: name}) }
	routine := func(s *eventv1.BasicSheet, name string) {
		if len(s.Weapons) == 0 {
			weapons(s, "claw")
		}
		s.Routine = append(s.Routine, "claw")
	}
	for name, c := range map[string]struct {
		change func(*eventv1.BasicSheet)
		field  string
	}{
		"ranges that rise":               {ranges(10, 20, 30), ""},
		"ranges that are one":            {ranges(10, 10, 10), ""},
		"a middle range below the short": {ranges(10, 9, 30), "basic.weapons[1].long_feet"},
		"a long range below the middle":  {ranges(10, 20, 19), "basic.weapons[1].long_feet"},
		"a bow without a range":          {ranges(0, 0, 0), "basic.weapons[1].short_feet"},
		"a sword without a range":        {held(false, false), ""},
		"a two-handed weapon in one":     {held(false, true, "main"), "basic.weapons[0].hand"},
		"a two-handed weapon in the off": {held(false, true, "off"), "basic.weapons[0].hand"},
		"a two-handed weapon in both":    {held(false, true, "both"), ""},
		"a two-handed weapon put away":   {held(false, true, "stowed"), ""},
		"a two-handed one and a shield":  {held(true, true, ""), "basic.weapons"},
		"sword, shield":                  {held(true, false, "main"), ""},
		"sword, bow":                     {held(false, false, "main", "off"), ""},
		"sword, bow, shield":             {held(true, false, "main", "off"), "basic.weapons"},
		"a natural weapon besides":       {func(s *eventv1.BasicSheet) { held(true, false, "main", "")(s); s.Weapons[1].Natural = true }, ""},
		"oil in a sword":                 {first(func(w *eventv1.BasicWeapon) { w.Contents = "oil" }), "basic.weapons[0].contents"},
		"holy water in a flask":          {func(s *eventv1.BasicSheet) { s.Weapons[2].Contents = "holy-water" }, ""},
		"beer in a flask":                {func(s *eventv1.BasicSheet) { s.Weapons[2].Contents = "beer" }, "basic.weapons[2].contents"},
		"arrows that are there":          {func(s *eventv1.BasicSheet) { s.Weapons[1].Ammunition = "arrows" }, ""},
		"arrows that are not":            {func(s *eventv1.BasicSheet) { s.Weapons[1].Ammunition = "bolts" }, "basic.weapons[1].ammunition"},
		"a weapon called punch":          {func(s *eventv1.BasicSheet) { s.Weapons[0].Name, s.Routine = "punch", nil }, "basic.weapons[0].name"},
		"a weapon twice":                 {func(s *eventv1.BasicSheet) { s.Weapons[1].Name = "sword" }, "basic.weapons[1].name"},
		"a thing called like a weapon":   {func(s *eventv1.BasicSheet) { s.Items[0].Name = "sword" }, "basic.items[0].name"},
		"a thing twice":                  {func(s *eventv1.BasicSheet) { s.Items = append(s.Items, s.Items[0]) }, "basic.items[1].name"},
		"a spell called like a thing":    {func(s *eventv1.BasicSheet) { s.Spells[0].Name = "ring" }, "basic.spells[0].name"},
		"a spell twice":                  {func(s *eventv1.BasicSheet) { s.Spells = append(s.Spells, s.Spells[0]) }, "basic.spells[1].name"},
		"a spell called like a weapon":   {func(s *eventv1.BasicSheet) { s.Spells[0].Name = "sword" }, ""},
		"a long name":                    {named(64), ""},
		"a name too long":                {named(65), "basic.items[0].name"},
		"no name":                        {named(0), "basic.items[0].name"},
		"a spell that harms and heals":   {func(s *eventv1.BasicSheet) { s.Spells[0].Damage, s.Spells[0].Healing = "1d6", "1d6" }, "basic.spells[0].healing"},
		"a routine of no weapon":         {func(s *eventv1.BasicSheet) { s.Routine = []string{"punch"} }, "basic.routine[0]"},
		"a hundred weapons":              {list(100, weapons), ""},
		"one more":                       {list(101, weapons), "basic"},
		"a hundred spells":               {list(100, spells), ""},
		"one spell more":                 {list(101, spells), "basic"},
		"a hundred things":               {list(100, items), ""},
		"one thing more":                 {list(101, items), "basic"},
		"a routine of a hundred":         {list(100, routine), ""},
		"of one more":                    {list(101, routine), "basic"},
		"a field of a pack":              {func(s *eventv1.BasicSheet) { s.Spells[0].Use, s.Spells[0].Targets = "burst", 101 }, ""},
	} {
		s := everything()
		c.change(s.GetBasic())
		got := (System{}).CheckSheet(s)
		if len(got) > 1 || len(got) == 1 && got[0].Field != "sheet."+c.field || (len(got) == 0) != (c.field == "") {
			t.Errorf("%s: wrong are %v, want %q", name, got, c.field)
		}
	}
}

// No number of a sheet may be absurd.
func TestNumbersOfASheetAreBounded(t *testing.T) {
	rulestest.Bounded(t, System{}, everything, "weapons[0].long_feet", "weapons[0].medium_feet") // judged together
}

// A word of a sheet that nobody knows is refused, but where it is a name or a text.
func TestWordsOfASheetAreKnown(t *testing.T) {
	rulestest.Worded(t, System{}, everything,
		"weapons[0].name", "weapons[0].use", "spells[0].name", "spells[0].use", "items[0].name",
		"items[0].effect.name", "items[0].effect.use", "items[0].use")
}
