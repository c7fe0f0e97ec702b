package rcr

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rulestest"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// everything is a sheet with one of each list.
func everything() *eventv1.Sheet {
	effect := func() []*eventv1.RcrEffect { return []*eventv1.RcrEffect{{Condition: "poisoned"}} }
	return fighter("ara", "party", rcrSheet(func(s *eventv1.RcrSheet) {
		usage := func() *eventv1.RcrUsage { return &eventv1.RcrUsage{Uses: 1, Recharge: "day"} }
		s.Skills, s.Tools = []*eventv1.RcrSkill{{Name: "stealth", Bonus: 3}}, []*eventv1.RcrSkill{{Name: "lute"}}
		s.Resources = []*eventv1.RcrResource{{Name: "ki", Current: 1, Max: 2, Recharge: "short rest"}}
		s.Attacks[0].Usage = usage()
		s.Attacks[0].Save, s.Attacks[0].Effects = &eventv1.RcrSave{Ability: "constitution", Dc: 10}, effect()
		s.SpellSlots = []int32{4, 3}
		s.Powers = []*eventv1.RcrPower{{Name: "breath", Effects: effect()}}
		s.Spells = []*eventv1.RcrSpell{{Name: "fire", Damage: []*eventv1.RcrDamage{{Dice: "8d6", Type: "fire"}}}}
		s.Items = []*eventv1.RcrItem{{Name: "wand"}}
		s.Multiattack = []*eventv1.RcrMultiattack{{Name: "both", Parts: []*eventv1.RcrMultiattackPart{{Name: "sword", Count: 1}, {Name: "breath", Count: 1}}}}
		s.LegendaryActions, s.Legendary = 3, []*eventv1.RcrLegendary{{Name: "tail"}}
		s.Regeneration = &eventv1.RcrRegeneration{Amount: 10, StoppedBy: []string{"fire"}}
	}))
}

// What a sheet may hold ends where it says, on both sides.
func TestBordersOfASheet(t *testing.T) {
	rows := map[string][2]int32{"speeds[walk]": {0, 10_000}, "rcr.level": {0, 20}, "rcr.armor_class": {1, 100}, "rcr.proficiency_bonus": {0, 20},
		"rcr.attacks_per_action": {0, 20}, "rcr.healers_kit_uses": {0, 10_000}, "rcr.weight": {0, 1_000_000}, "rcr.carrying_capacity": {0, 1_000_000},
		"rcr.load": {0, 1_000_000}, "rcr.spell_dc": {0, 100}, "rcr.weapon_dc": {0, 100},
		"rcr.spell_slots[1]": {0, 1000}, "rcr.hit_dice[0].size": {1, 100}, "rcr.hit_dice[0].total": {0, 1000},
		"rcr.hit_dice[0].spent":     {0, 5}, // no more than there are
		"rcr.attacks[0].reach_feet": {1, 100_000}, "rcr.attacks[1].range_feet": {1, 100_000}, "rcr.attacks[1].long_range_feet": {0, 100_000},
		"rcr.attacks[0].bonus": {-100, 100}, "rcr.attacks[0].critical_from": {0, 20}, "rcr.attacks[0].save.dc": {0, 100},
		"rcr.attacks[0].effects[0].rounds": {0, 100_000}, "rcr.multiattack[0].parts[0].count": {1, 20},
		"rcr.powers[0].targets": {0, rules.MaxCreatures}, "rcr.powers[0].teleport_feet": {0, 100_000}, "rcr.powers[0].effects[0].rounds": {0, 100_000},
		"rcr.spells[0].level": {0, 9}, "rcr.spells[0].targets": {0, rules.MaxCreatures}, "rcr.spells[0].upcast_targets": {0, rules.MaxCreatures},
		"rcr.spells[0].teleport_feet": {0, 100_000}, "rcr.items[0].charges": {0, 10_000}, "rcr.items[0].fly_speed": {0, 100_000},
		"rcr.passive_perception": {0, 100}, "rcr.escape_dc": {0, 100}, "rcr.spell_attack_bonus": {-100, 100}, "rcr.skills[0].bonus": {-100, 100}, "rcr.tools[0].bonus": {-100, 100},
		"rcr.resources[0].current": {0, 10_000}, "rcr.resources[0].max": {0, 10_000}, "rcr.attacks[0].usage.uses": {0, 10_000}, "rcr.attacks[0].usage.recharge_from": {0, 6},
		"rcr.attacks[0].effects[0].escape_dc": {0, 100}, "rcr.powers[0].range_feet": {0, 100_000}, "rcr.spells[0].range_feet": {0, 100_000},
		"rcr.training_total": {0, 100_000}, "rcr.shield_bonus": {0, 20},
		"rcr.legendary_actions": {0, 20}, "regeneration.amount": {1, 10_000},
		"rcr.legendary[0].cost":         {0, 3}, // no more than there are
		"rcr.legendary[0].move_percent": {0, 1000}, "rcr.legendary[0].teleport_feet": {0, 100_000}}
	// What has neither reach nor range is wrong as a whole, not in one of the two.
	rows["rcr.attacks[0].reach_feet"], rows["rcr.attacks[1].range_feet"] = [2]int32{0, 100_000}, [2]int32{0, 100_000}
	for _, ability := range []string{"strength", "dexterity", "constitution", "intelligence", "wisdom", "charisma"} {
		rows["abilities["+ability+"]"], rows["rcr.saves["+ability+"]"] = [2]int32{1, 30}, [2]int32{-100, 100}
	}
	rulestest.Borders(t, System{}, everything, rows)
}

// A word of a sheet is one of those that the rules know.
func TestWordsOfASheet(t *testing.T) {
	rulestest.SheetWords(t, System{}, everything, map[string][]string{
		"size":                                {"tiny", "small", "medium", "large", "huge", "gargantuan"},
		"rcr.challenge_rating":                {"", "0", "1/8", "1/4", "1/2", "1", "30"},
		"rcr.attacks[0].hand":                 {"", "main", "off", "stowed"},
		"rcr.attacks[0].damage[0].dice":       {"1d8", "2d6+3"},
		"rcr.attacks[0].damage[0].type":       {"", "slashing", "piercing", "bludgeoning", "fire", "cold", "acid", "poison", "lightning", "thunder", "force", "necrotic", "psychic", "radiant"},
		"rcr.attacks[0].save.ability":         {"strength", "dexterity", "constitution", "intelligence", "wisdom", "charisma"},
		"rcr.attacks[0].effects[0].condition": {"poisoned", "blinded", "prone"},
		"rcr.powers[0].cost":                  {"", "action", "bonus", "reaction", "free", "legendary"},
		"rcr.powers[0].healing":               {"", "2d8"},
		"rcr.powers[0].effects[0].condition":  {"poisoned"},
		"rcr.spells[0].attack":                {"", "melee", "ranged"},
		"rcr.spells[0].healing":               {"", "2d8+4"},
		"rcr.spells[0].upcast_dice":           {"", "1d6"},
		"rcr.spells[0].damage[0].type":        {"", "fire"},
		"rcr.items[0].healing":                {"", "2d4+2"},
		"regeneration.stopped_by[0]":          {"fire", "acid"},
		"rcr.multiattack[0].parts[0].name":    {"sword", "bow", "breath"},
		"rcr.legendary[0].attack":             {"", "sword", "bow"},
		"rcr.legendary[0].power":              {"", "breath"},
		"rcr.legendary[0].skill":              {"", "perception", "stealth"},
	})
	for _, bad := range []string{"31", "-1", "01", "1/3"} {
		s := everything()
		s.GetRcr().ChallengeRating = bad
		if list := (System{}).CheckSheet(s); len(list) != 1 || list[0].Field != "sheet.rcr.challenge_rating" {
			t.Errorf("a challenge rating of %q: %v", bad, list)
		}
	}
}

// A list of a sheet holds as many as it says.
func TestListsOfASheet(t *testing.T) {
	for field, fill := range map[string]func(s *eventv1.RcrSheet, n int){
		"attacks": func(s *eventv1.RcrSheet, n int) {
			s.Attacks = many(n, func(name string) *eventv1.RcrAttack { return &eventv1.RcrAttack{Name: name, ReachFeet: 5} })
		},
		"spells": func(s *eventv1.RcrSheet, n int) {
			s.Spells = many(n, func(name string) *eventv1.RcrSpell { return &eventv1.RcrSpell{Name: name} })
		},
		"powers": func(s *eventv1.RcrSheet, n int) {
			s.Powers = many(n, func(name string) *eventv1.RcrPower { return &eventv1.RcrPower{Name: name} })
		},
		"items": func(s *eventv1.RcrSheet, n int) {
			s.Items = many(n, func(name string) *eventv1.RcrItem { return &eventv1.RcrItem{Name: name} })
		},
		"multiattack": func(s *eventv1.RcrSheet, n int) {
			s.Multiattack = many(n, func(name string) *eventv1.RcrMultiattack { return &eventv1.RcrMultiattack{Name: name} })
		},
	} {
		for n, good := range map[int]bool{200: true, 201: false} {
			s := fighter("ara", "party")
			fill(s.GetRcr(), n)
			found := false
			for _, v := range (System{}).CheckSheet(s) {
				found = found || v.Field == "sheet.rcr."+field
			}
			if found == good {
				t.Errorf("%d of %s: refused %v", n, field, found)
			}
		}
	}
	for n, good := range map[int]bool{9: true, 10: false} {
		s := fighter("ara", "party", rcrSheet(func(s *eventv1.RcrSheet) { s.SpellSlots = make([]int32, n) }))
		if list := (System{}).CheckSheet(s); (len(list) == 0) != good {
			t.Errorf("%d levels of slots: %v", n, list)
		}
	}
}

// many makes so many, each with a name of its own.
func many[T any](n int, one func(name string) T) (out []T) {
	for i := range n {
		out = append(out, one("x"+string(rune('a'+i/26))+string(rune('a'+i%26))))
	}
	return out
}

// No number of a sheet may be absurd.
func TestNumbersOfASheetAreBounded(t *testing.T) {
	rulestest.Bounded(t, System{}, everything)
}

// A word of a sheet that nobody knows is refused, but where it is a name or a text.
func TestWordsOfASheetAreKnown(t *testing.T) {
	rulestest.Worded(t, System{}, everything,
		"creature_type", "tools[0].name", "languages[0]", "resistances[0].note", "immunities[0].note", "vulnerabilities[0].note",
		"attacks[0].name", "attacks[0].effects[0].variant", "attacks[0].usage.shared", "attacks[0].use", "multiattack[0].name",
		"spells[0].name", "spells[0].effects[0].variant", "spells[0].usage.shared", "spells[0].use", "items[0].name",
		"items[0].spell", "items[0].use", "resources[0].name", "powers[0].name", "powers[0].effects[0].variant",
		"powers[0].usage.shared", "creation.extra[0]", "creation.background[0]", "legendary[0].name", "bonds[0]",
		"chosen_feats[0].picks[0]", "chosen_feats[0].spell_list", "chosen_feats[0].equipment[0]", "training[0].name")
}
