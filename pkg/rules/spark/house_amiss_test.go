package spark

import (
	"strings"
	"testing"
)

// What is amiss in a pack for this system is refused with what may be meant.
func TestPacksThatAreAmiss(t *testing.T) {
	for _, c := range []struct{ effect, hint string }{
		{`{trigger: hit, hook: {name: push, values: {foot: "5"}}}`, "feet"},
		{`{trigger: hit, hook: {name: push, values: {feet: "0"}}}`, "1 to"},
		{`{trigger: hit, hook: {name: injure}}`, "kind"},
		{`{trigger: hit, hook: {name: mana, values: {amount: many}}}`, "whole number"},
		{`{trigger: hit, hook: {name: shove}}`, "shove"},
		{`{modifier: {to: attack/meele, amount: "1"}}`, "attack/melee"},
		{`{modifier: {to: morale, amount: "1"}}`, "morale"},
		{`{extra_action: {counter: mana}}`, "mana"},
		{`{cost: {action: cats, amount: "1"}}`, "cast"},
		{`{trigger: hit, condition: {condition: blinded}}`, "blinded"},
		{`{trigger: hit, save: {save: dexterity, dc: "10", failed: [{damage: {amount: "1"}}]}}`, "dexterity"},
	} {
		_, problems := bookOf(t, written("rules.yaml", ruled(c.effect)))
		if problems == nil || !strings.Contains(problems.Error(), c.hint) {
			t.Errorf("%s: %v", c.effect, problems)
		}
	}
	for name, text := range map[string]string{
		"multiplier": "roll,multiplier\n21,7\n", "fumble": headFumble + "2,S,weapon-sings,it sings,\n", "hardness": "material,thickness,dc\nwood,,none\n",
		"places": "place,multiplier\ndungeon,3\n", "situations": headSituations + "attack,self,prone,,when-drunk,-4,,prone,spark.condition.prone\n",
	} {
		if _, problems := bookOf(t, written("tables/"+name+".csv", text)); problems == nil {
			t.Errorf("the table %s is taken", name)
		}
	}
}
