package spark

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/rules/rulestest"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// everything is a sheet with one of each list.
func everything() *eventv1.Sheet {
	return fighter("ara", "party", func(s *eventv1.SparkSheet) {
		s.Spells = []*eventv1.SparkSpell{{Name: "fire", Delivery: "ranged"}}
		s.ManaTrees = []*eventv1.SparkTree{{Name: "oak"}}
		s.Items = []*eventv1.SparkItem{{Name: "draught", Kind: "potion"}}
	})
}

// What a sheet may hold ends where it says, on both sides.
func TestBordersOfASheet(t *testing.T) {
	rows := map[string][2]int32{"speeds[walk]": {0, 10_000}, "spark.level": {1, 40}, "spark.hit_die": {2, 100}, "spark.armor_class": {1, 100},
		"spark.attacks_per_round": {0, 20}, "spark.mana": {0, 100_000}, "spark.spare_strings": {0, 10_000}, "spark.legs": {0, 1000},
		"spark.weapons[0].attack_modifier": {-100, 100}, "spark.weapons[0].damage_bonus": {-1000, 1000}, "spark.weapons[0].reach_feet": {1, 1000},
		"spark.weapons[1].range_feet": {1, 100_000}, "spark.weapons[1].long_range_feet": {0, 100_000}, "spark.weapons[1].missiles": {0, 10_000},
		"spark.weapons[0].enchantment": {0, 50}, "spark.weapons[1].missile_enchantment": {0, 50}, "spark.weapons[0].hardness": {0, 100},
		"spark.spells[0].mana_cost": {0, 100_000}, "spark.spells[0].dc": {0, 100}, "spark.spells[0].rounds": {0, 100},
		"spark.spells[0].attack_modifier": {-100, 100}, "spark.spells[0].critical_from": {0, 20}, "spark.spells[0].range_feet": {0, 100_000},
		"spark.spells[0].targets": {0, 100}, "spark.spells[0].damage_bonus": {-1000, 1000}, "spark.mana_trees[0].rank": {0, 100},
		"spark.items[0].uses": {0, 10_000}}
	for _, n := range []string{"strength_modifier", "constitution_modifier", "dexterity_modifier", "fortitude", "reflex", "will", "initiative",
		"heal_skill", "strength_save", "sleight_of_hand"} {
		rows["spark."+n] = [2]int32{-100, 100}
	}
	// What has neither reach nor range is wrong as a whole, not in one of the two.
	rows["spark.weapons[0].reach_feet"], rows["spark.weapons[1].range_feet"] = [2]int32{0, 1000}, [2]int32{0, 100_000}
	rulestest.Borders(t, System{}, everything, rows)
	// A natural 1 always fails: no critical hit begins there.
	rulestest.Numbers(t, System{}, everything, "spark.weapons[0].critical_from", 0, 2, 20)
}

// A word of a sheet is one of those that the rules know.
func TestWordsOfASheet(t *testing.T) {
	rulestest.SheetWords(t, System{}, everything, map[string][]string{
		"size": {"tiny", "small", "medium", "large", "huge", "gargantuan"}, "spark.sneak_attack": {"", "2d6"},
		"spark.weapons[0].fumble_classes[0]": {"M", "S", "B", "P", "F"}, "spark.weapons[0].damage_dice": {"", "1d8", "2d6+1"},
		"spark.weapons[0].material": {"", "wood"}, "spark.spells[0].delivery": {"ranged", "melee-touch", "other"},
		"spark.spells[0].save": {"", "fortitude", "reflex", "will"}, "spark.spells[0].damage_dice": {"", "3d6"}, "spark.spells[0].healing": {"", "1d8"},
		"spark.items[0].kind": {"potion", "magic", "other"}, "spark.items[0].healing": {"", "1d8"}})
}

// wrongs are the fields that are wrong with a sheet.
func wrongs(change func(*eventv1.SparkSheet)) (out []string) {
	s := everything()
	change(s.GetSpark())
	for _, v := range (System{}).CheckSheet(s) {
		out = append(out, v.Field)
	}
	return out
}

// What a field may hold hangs on others, each of which counts by itself.
func TestFieldsThatHangTogether(t *testing.T) {
	spell := func(attack bool, targets int32, delivery string) func(*eventv1.SparkSheet) {
		return func(s *eventv1.SparkSheet) {
			s.Spells[0].Attack, s.Spells[0].Targets, s.Spells[0].Delivery = attack, targets, delivery
		}
	}
	weapon := func(natural bool, class string, reach, far int32) func(*eventv1.SparkSheet) {
		return func(s *eventv1.SparkSheet) {
			w := s.Weapons[0]
			w.Natural, w.FumbleClasses, w.ReachFeet, w.RangeFeet = natural, []string{class}, reach, far
		}
	}
	feat := func(f *eventv1.SparkFeat) func(*eventv1.SparkSheet) {
		return func(s *eventv1.SparkSheet) { s.Feats = []*eventv1.SparkFeat{f} }
	}
	long := func(n int) func(*eventv1.SparkSheet) {
		return func(s *eventv1.SparkSheet) { s.Weapons[0].Name = string(make([]byte, n)) }
	}
	for name, c := range map[string]struct {
		change func(*eventv1.SparkSheet)
		field  string
	}{
		"an attack roll at one":       {spell(true, 1, "ranged"), ""},
		"an attack roll at two":       {spell(true, 2, "ranged"), "spark.spells[0].attack"},
		"an attack roll at nobody":    {spell(true, 1, "other"), "spark.spells[0].attack"},
		"none at two":                 {spell(false, 2, "other"), ""},
		"a claw":                      {weapon(true, "F", 5, 0), ""},
		"a claw that cuts":            {weapon(true, "S", 5, 0), "spark.weapons[0].fumble_classes[0]"},
		"a fist of steel":             {weapon(false, "F", 5, 0), ""},
		"a reach alone":               {weapon(false, "S", 5, 0), ""},
		"a range alone":               {weapon(false, "S", 0, 5), ""},
		"neither":                     {weapon(false, "S", 0, 0), "spark.weapons[0]"},
		"no class":                    {func(s *eventv1.SparkSheet) { s.Weapons[0].FumbleClasses = nil }, "spark.weapons[0].fumble_classes"},
		"a name":                      {long(64), ""},
		"a name too long":             {long(65), "spark.weapons[0].name"},
		"no name":                     {long(0), "spark.weapons[0].name"},
		"a name twice":                {func(s *eventv1.SparkSheet) { s.Weapons[1].Name = "sword" }, "spark.weapons[1].name"},
		"a spell twice":               {func(s *eventv1.SparkSheet) { s.Spells = append(s.Spells, s.Spells[0]) }, "spark.spells[1].name"},
		"a tree twice":                {func(s *eventv1.SparkSheet) { s.ManaTrees = append(s.ManaTrees, s.ManaTrees[0]) }, "spark.mana_trees[1].name"},
		"an item twice":               {func(s *eventv1.SparkSheet) { s.Items = append(s.Items, s.Items[0]) }, "spark.items[1].name"},
		"a feat of the bonus action":  {feat(&eventv1.SparkFeat{Name: "x", Bonus: true}), ""},
		"a feat that lifts the limit": {feat(&eventv1.SparkFeat{Name: "x", FullMoveFullAttack: true}), ""},
		"a feat that does nothing":    {feat(&eventv1.SparkFeat{Name: "x"}), "spark.feats[0]"},
		"a feat without a name":       {feat(&eventv1.SparkFeat{Bonus: true}), "spark.feats[0].name"},
		"a feat twice": {func(s *eventv1.SparkSheet) {
			f := &eventv1.SparkFeat{Name: "x", Bonus: true}
			s.Feats = []*eventv1.SparkFeat{f, f}
		}, "spark.feats[1].name"},
		"the same name in another list": {func(s *eventv1.SparkSheet) { s.Items[0].Name, s.Spells[0].Name = "sword", "sword" }, ""},
	} {
		if got := wrongs(c.change); len(got) > 1 || len(got) == 1 && got[0] != "sheet."+c.field || (len(got) == 0) != (c.field == "") {
			t.Errorf("%s: wrong are %v, want %q", name, got, c.field)
		}
	}
	if got := (System{}).CheckSheet(&eventv1.Sheet{}); len(got) != 1 || got[0].Field != "sheet.spark" {
		t.Errorf("without a section: %v", got)
	}
}

// No number of a sheet may be absurd.
func TestNumbersOfASheetAreBounded(t *testing.T) {
	rulestest.Bounded(t, System{}, everything)
}

// A word of a sheet that nobody knows is refused, but where it is a name or a text.
func TestWordsOfASheetAreKnown(t *testing.T) {
	rulestest.Worded(t, System{}, everything,
		"weapons[0].name", "weapons[0].damage_type", "weapons[0].limb", "weapons[0].use", "sparks[0]",
		"mana_trees[0].name", "spells[0].name", "spells[0].damage_type", "spells[0].text", "spells[0].use",
		"feats[0].name", "items[0].name", "items[0].text", "items[0].use")
}
