package mending

import (
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// DiceOf are the damage dice of a spell at a caster level; its own limit holds
// whatever moved the level (a reading).
//
// celesia.spell.degrees-attack
func DiceOf(sp *eventv1.CelesiaSpell, level int32) (body.DieSet, bool) {
	if d, ok := body.ParseDice(sp.DicePerLevel); ok {
		if sp.MaximumLevels > 0 {
			level = min(level, sp.MaximumLevels)
		}
		d.Count *= level
		return d, true
	}
	return body.ParseDice(sp.Dice)
}
