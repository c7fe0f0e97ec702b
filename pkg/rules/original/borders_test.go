package original

import (
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/rules/rulestest"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// everything is a sheet with one of each list.
func everything() *eventv1.Sheet {
	return one("ara", "monsters", with(func(o *eventv1.OriginalSheet) {
		o.Spells = []*eventv1.OriginalSpell{{Name: "bolt", Prepared: 1}}
		o.Weapons = append(o.Weapons, &eventv1.OriginalWeapon{Name: "bow", Kind: "bow", ShortFeet: 50, MediumFeet: 100, LongFeet: 150})
		o.HarmedOnlyBy = []string{"magic"}
		o.SpecialEffect = "stunned"
	}))
}

// What a sheet may hold ends where it says, on both sides.
func TestBordersOfASheet(t *testing.T) {
	sheet := func() *eventv1.Sheet {
		s := everything()
		s.GetOriginal().SpecialEffect = ""
		return s
	}
	rulestest.Borders(t, System{}, sheet, map[string][2]int32{"original.level": {0, 99}, "original.hit_dice": {0, 99}, "original.hit_dice_plus": {-20, 99},
		"original.hit_ac0": {-50, 50}, "original.armor_ac": {-50, 50}, "original.shield_bonus": {0, 20}, "original.dex_bonus": {-20, 20},
		"original.str_bonus": {-20, 20}, "original.other_ac_bonus": {-50, 50}, "original.attacks": {0, 20}, "original.special_face": {0, 20},
		"original.surprises_on": {0, 20}, "original.surprised_on": {-1, 20}, "original.unit_size": {0, 100}, "original.save_paralysis": {0, 50},
		"original.psy_bonus": {-20, 20}, "original.edged_loses": {0, 50}, "original.spells[0].prepared": {0, 99},
		"original.weapons[0].hands": {0, 2}, "original.weapons[0].reach_rank": {0, 20}})
	rulestest.Numbers(t, System{}, sheet, "original.morale", 0, 2, 12)
}

// A word of a sheet is one of those that the rules know.
func TestWordsOfASheet(t *testing.T) {
	rulestest.SheetWords(t, System{}, everything, map[string][]string{
		"original.weapons[0].size":   {"", "small", "medium", "large"},
		"original.weapons[0].damage": {"", "1d6", "2d4+1"}, "original.spells[0].damage": {"", "3d6"},
		"original.harmed_only_by[0]": {"magic", "silver"},
		"original.weapons[1].kind": {"", "melee", "bow", "great-bow", "crossbow", "thrown", "javelin", "sling", "firearm", "polearm", "spear", "long-spear",
			"pike", "lance", "dagger", "whip", "hand", "natural"}})
}

// What a field may hold hangs on others, each of which counts by itself.
func TestFieldsThatHangTogether(t *testing.T) {
	ranges := func(short, medium, long int32) func(*eventv1.OriginalSheet) {
		return func(o *eventv1.OriginalSheet) {
			o.Weapons[1].ShortFeet, o.Weapons[1].MediumFeet, o.Weapons[1].LongFeet = short, medium, long
		}
	}
	sword := func(change func(w *eventv1.OriginalWeapon)) func(*eventv1.OriginalSheet) {
		return func(o *eventv1.OriginalSheet) { change(o.Weapons[0]) }
	}
	unit := func(size int32, pc bool) func(*eventv1.OriginalSheet) {
		return func(o *eventv1.OriginalSheet) { o.UnitSize, o.IsPc = size, pc }
	}
	for name, c := range map[string]struct {
		change func(*eventv1.OriginalSheet)
		field  string
	}{
		"ranges that rise":               {ranges(1, 2, 10_000), ""},
		"ranges that are one":            {ranges(10, 10, 10), ""},
		"a short range below nothing":    {ranges(-1, 10, 20), "weapons[1].long_feet"},
		"a middle range below the short": {ranges(10, 9, 20), "weapons[1].long_feet"},
		"a long range below the middle":  {ranges(10, 20, 19), "weapons[1].long_feet"},
		"a range too long":               {ranges(10, 20, 10_001), "weapons[1].long_feet"},
		"no short range":                 {ranges(0, 20, 30), "weapons[1].long_feet"},
		"a bow without a range":          {ranges(0, 0, 0), "weapons[1].long_feet"},
		"a sword that is thrown":         {sword(func(w *eventv1.OriginalWeapon) { w.ShortFeet, w.MediumFeet, w.LongFeet = 10, 20, 30 }), ""},
		"a weapon twice":                 {sword(func(w *eventv1.OriginalWeapon) { w.Name = "bow" }), "weapons[1].name"},
		"a weapon without a name":        {sword(func(w *eventv1.OriginalWeapon) { w.Name = "" }), "weapons[0].name"},
		"a weapon with a long name":      {sword(func(w *eventv1.OriginalWeapon) { w.Name = strings.Repeat("x", 64) }), ""},
		"a name too long":                {sword(func(w *eventv1.OriginalWeapon) { w.Name = strings.Repeat("x", 65) }), "weapons[0].name"},
		"damage of many words":           {sword(func(w *eventv1.OriginalWeapon) { w.Damage = "1d6" + strings.Repeat("+1", 31) }), "weapons[0].damage"},
		"a spell twice":                  {func(o *eventv1.OriginalSheet) { o.Spells = append(o.Spells, o.Spells[0]) }, "spells[1].name"},
		"a spell without a name":         {func(o *eventv1.OriginalSheet) { o.Spells[0].Name = "" }, "spells[0].name"},
		"a spell with a long name":       {func(o *eventv1.OriginalSheet) { o.Spells[0].Name = strings.Repeat("x", 64) }, ""},
		"a spell with a name too long":   {func(o *eventv1.OriginalSheet) { o.Spells[0].Name = strings.Repeat("x", 65) }, "spells[0].name"},
		"a unit":                         {unit(2, false), ""},
		"a unit of player characters":    {unit(2, true), "unit_size"}, // original.mass.grouping
		"a player character":             {unit(1, true), ""},
		"a group":                        {func(o *eventv1.OriginalSheet) { o.Group = strings.Repeat("x", 40) }, ""},
		"a group too long":               {func(o *eventv1.OriginalSheet) { o.Group = strings.Repeat("x", 41) }, "group"},
		"a group with a colon":           {func(o *eventv1.OriginalSheet) { o.Group = "a:b" }, "group"},
		"a group with a comma":           {func(o *eventv1.OriginalSheet) { o.Group = "a,b" }, "group"},
		"a group with a semicolon":       {func(o *eventv1.OriginalSheet) { o.Group = "a;b" }, "group"},
		"a class of 40 letters":          {func(o *eventv1.OriginalSheet) { o.Class = strings.Repeat("x", 40) }, ""},
		"of 41":                          {func(o *eventv1.OriginalSheet) { o.Class = strings.Repeat("x", 41) }, "class"},
		"a class misspelt":               {func(o *eventv1.OriginalSheet) { o.Class = "figther" }, "class"},
		"a class of all others":          {func(o *eventv1.OriginalSheet) { o.Class = "alchemist" }, ""}, // original.attack.melee-others-str16
		"a race of 40 letters":           {func(o *eventv1.OriginalSheet) { o.Race = strings.Repeat("x", 40) }, ""},
		"a race of 41":                   {func(o *eventv1.OriginalSheet) { o.Race = strings.Repeat("x", 41) }, "race"},
		"a race misspelt":                {func(o *eventv1.OriginalSheet) { o.Race = "hobit" }, "race"},
		"a face that does something":     {func(o *eventv1.OriginalSheet) { o.SpecialFace = 20 }, ""},
		"a face that does nothing":       {func(o *eventv1.OriginalSheet) { o.SpecialFace, o.SpecialEffect = 20, "" }, "special_effect"},
		"an effect that nothing knows":   {func(o *eventv1.OriginalSheet) { o.SpecialEffect = "hiccups" }, "special_effect"},
		"what harms it beside magic":     {func(o *eventv1.OriginalSheet) { o.HarmedOnlyBy = []string{"magic", "silver"} }, ""},
	} {
		s := everything()
		c.change(s.GetOriginal())
		got := (System{}).CheckSheet(s)
		if len(got) > 1 || len(got) == 1 && got[0].Field != "sheet.original."+c.field || (len(got) == 0) != (c.field == "") {
			t.Errorf("%s: wrong are %v, want %q", name, got, c.field)
		}
	}
}

// No number of a sheet may be absurd.
func TestNumbersOfASheetAreBounded(t *testing.T) {
	rulestest.Bounded(t, System{}, everything, "weapons[0].medium_feet", "weapons[0].short_feet") // judged together
}

// A word of a sheet that nobody knows is refused, but where it is a name or a text.
func TestWordsOfASheetAreKnown(t *testing.T) {
	rulestest.Worded(t, System{}, everything,
		"class", "weapons[0].name", "weapons[0].use", "group", "race", "spells[0].name",
		"spells[0].use")
}
