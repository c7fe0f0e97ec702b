package celesia

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/rulestest"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// everything is a sheet with one of each list.
func everything() *eventv1.Sheet {
	return fighter("ara", "party", section(func(s *eventv1.CelesiaSheet) {
		s.Weapons[0].Hand = "stowed"
		s.Body = &eventv1.CelesiaBody{Hands: 2, Fingers: 10, Eyes: 2, Arms: 2, Legs: 2}
		s.Features, s.Immunities = []string{"x"}, []string{"x"}
		s.Spells = []*eventv1.CelesiaSpell{{Name: "fire", Casting: "standard"}}
		s.Things = []*eventv1.CelesiaThing{{Name: "rope", Kind: "rope", Place: "carried"}}
		s.SpecialAbilities = []*eventv1.CelesiaAbility{{Name: "howl", Time: "standard"}}
		s.Potions = []*eventv1.CelesiaPotion{{Name: "draught", Healing: "1d8", Count: 1}}
	}))
}

// What a sheet may hold ends where it says, on both sides.
func TestBordersOfASheet(t *testing.T) {
	// Each is a value of its own: 2 is the least of a threat, 0 stands for the usual.
	rows := map[string][2]int32{"speeds[walk]": {0, 1000}, "celesia.skills[climb]": {-50, 200},
		"celesia.level": {1, 40}, "celesia.base_attack": {0, 60}, "celesia.size_modifier": {-10, 10}, "celesia.special_size_modifier": {-10, 10},
		"celesia.defense": {0, 100}, "celesia.touch_defense": {0, 100}, "celesia.defense_dexterity": {0, 30}, "celesia.maneuver_defense": {0, 200},
		"celesia.maneuver_bonus": {-50, 100}, "celesia.initiative_bonus": {-50, 100}, "celesia.fortitude": {-50, 100}, "celesia.reflex": {-50, 100},
		"celesia.will": {-50, 100}, "celesia.reach_feet": {0, 100}, "celesia.concentration": {-50, 100}, "celesia.spell_resistance": {0, 100},
		"celesia.multiweapon_uses": {0, 10},
		"body.hands":               {0, 12}, "body.fingers": {0, 12}, "body.eyes": {0, 20}, "body.arms": {0, 12}, "body.legs": {0, 20},
		"celesia.weapons[0].hands": {1, 2}, "celesia.weapons[0].range_feet": {0, 10000}, "celesia.weapons[2].range_feet": {1, 10000},
		"celesia.weapons[0].maximum_increments": {0, 100}, "celesia.weapons[0].range_penalty": {0, 20}, "celesia.weapons[0].attack_bonus": {-50, 50},
		"celesia.weapons[0].damage_bonus": {-50, 100}, "celesia.weapons[0].hardness": {0, 100}, "celesia.weapons[0].hit_points": {0, 10000},
		"celesia.weapons[0].capacity": {0, 100},
		"celesia.spells[0].save_dc":   {0, 100}, "celesia.spells[0].caster_level": {0, 40}, "celesia.spells[0].range_feet": {0, 10000},
		"celesia.spells[0].uses": {0, 1000}, "celesia.spells[0].level": {0, 9}, "celesia.spells[0].targets": {0, rules.MaxCreatures},
		"celesia.spells[0].range_per_level": {0, 1000}, "celesia.spells[0].maximum_levels": {0, 40}, "celesia.spells[0].turns": {0, 10000},
		"celesia.things[0].shield_bonus": {0, 20}, "celesia.things[0].hardness": {0, 100}, "celesia.things[0].hit_points": {0, 10000},
		"celesia.special_abilities[0].uses": {0, 1000}, "celesia.potions[0].count": {0, 1000}}
	for _, ability := range []string{"strength", "dexterity", "constitution", "intelligence", "wisdom", "charisma"} {
		rows["abilities["+ability+"]"] = [2]int32{1, 100}
	}
	rulestest.Borders(t, System{}, everything, rows)

	for field, good := range map[string][]int32{
		"celesia.weapons[0].threat": {0, 2, 20}, "celesia.weapons[0].multiplier": {0, 1, 10},
		"celesia.weapons[0].fastened": {0, 5, 100}, "celesia.things[0].fastened": {0, 5, 100}, // celesia.maneuver.steal-fastened
	} {
		rulestest.Numbers(t, System{}, everything, field, good...)
	}
}

// A word of a sheet is one of those that the rules know.
func TestWordsOfASheet(t *testing.T) {
	rulestest.SheetWords(t, System{}, everything, map[string][]string{
		"size":                          {"fine", "diminutive", "tiny", "small", "medium", "large", "huge", "gargantuan", "colossal"},
		"celesia.weapons[0].kind":       {"melee", "thrown", "projectile", "natural", "natural-ranged", "unarmed"},
		"celesia.weapons[0].dice":       {"1d8", "2d6"},
		"celesia.weapons[0].hand":       {"", "main", "off", "both", "stowed", "pack"},
		"celesia.things[0].kind":        {"", "shield", "rope", "command-word", "spell-trigger", "spell-completion", "locked-gauntlet"},
		"celesia.things[0].place":       {"", "main", "off", "carried", "worn", "stowed", "pack"},
		"celesia.spells[0].casting":     {"swift", "standard", "full", "1-round"},
		"celesia.spells[0].attack":      {"", "melee-touch", "ranged-touch"},
		"celesia.spells[0].save":        {"", "fortitude", "reflex", "will"},
		"celesia.spells[0].dice":        {"", "5d6"},
		"celesia.precision_dice":        {"", "2d6"},
		"celesia.potions[0].healing":    {"", "1d8", "2d8+3"},
		"celesia.spells[0].healing":     {"", "1d8", "2d8+3"},
		"celesia.spells[0].save_effect": {"", "half", "negates"},
	})
}

// scrolls is everything, with a scroll as the first thing.
func scrolls() *eventv1.Sheet {
	s := everything()
	s.GetCelesia().Things = append([]*eventv1.CelesiaThing{{Name: "scroll", Kind: body.ThingCompletion, Spell: &eventv1.CelesiaSpell{Name: "light", Casting: "standard"}}}, s.GetCelesia().Things...)
	return s
}

// No number of a sheet may be absurd.
func TestNumbersOfASheetAreBounded(t *testing.T) { rulestest.Bounded(t, System{}, scrolls) }

// A word of a sheet that nobody knows is refused, but where it is a name or a text.
func TestWordsOfASheetAreKnown(t *testing.T) {
	rulestest.Worded(t, System{}, scrolls,
		"weapons[0].name", "weapons[0].type", "weapons[0].extra[0].type", "weapons[0].limb", "weapons[0].use",
		"spells[0].name", "spells[0].type", "spells[0].use", "potions[0].name", "potions[0].spell.name",
		"potions[0].spell.type", "potions[0].spell.use", "potions[0].use", "things[0].name",
		"things[0].spell.name", "things[0].spell.type", "things[0].spell.use", "things[0].use",
		"special_abilities[0].name", "stances[0]", "companion")
}
