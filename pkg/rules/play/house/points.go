package house

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/rules/effects"
)

// Points at which content changes a roll or a number; systems add parts of their
// own, such as "attack/melee" or "save/dexterity".
const (
	// PointAttack are attack rolls.
	PointAttack = "attack"
	// PointAttacked are attack rolls against who has the effect.
	PointAttacked = "attacked"
	// PointDamage are damage rolls.
	PointDamage = "damage"
	// PointArmor is the armour class.
	PointArmor = "armor-class"
	// PointSave are saving throws.
	PointSave = "save"
	// PointCheck are checks of skills and abilities.
	PointCheck = "check"
	// PointInitiative are initiative rolls.
	PointInitiative = "initiative"
	// PointMorale are morale rolls, or the number that they are made against.
	PointMorale = "morale"
)

// Parts are the points that a whole has: "attack/melee", "attack/ranged", ...
func Parts(whole string, parts ...string) []string {
	out := make([]string, len(parts))
	for i, p := range parts {
		out[i] = whole + "/" + p
	}
	return out
}

// Cited are the rule ids of what took part, each once.
func Cited(cites ...effects.Cite) []string {
	var out []string
	for _, c := range cites {
		if c.Rule != "" && !slices.Contains(out, c.Rule) {
			out = append(out, c.Rule)
		}
	}
	return out
}

// Kernel are the kinds of effects that need nothing of a system: the kernel of
// actions carries them out for all that stands in its [play.Frame].
func Kernel() map[effects.Kind][]string {
	return map[effects.Kind][]string{effects.KindBar: nil, effects.KindCost: nil, effects.KindReplace: nil, effects.KindAura: nil}
}
