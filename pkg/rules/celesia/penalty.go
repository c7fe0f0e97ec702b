package celesia

import (
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// penalty checks the penalty of a spell.
func (k *sheetCheck) penalty(field string, sp *eventv1.CelesiaSpell) {
	k.among(field+".penalty_ability", sp.PenaltyAbility, "", "strength", "dexterity", "intelligence", "wisdom", "charisma")
	k.dice(field+".penalty_dice", sp.PenaltyDice, body.DiceWord, sp.PenaltyAbility != "")
	k.between(field+".penalty_levels", sp.PenaltyLevels, 0, 40)
	k.between(field+".penalty_most", sp.PenaltyMost, 0, 40)
}
