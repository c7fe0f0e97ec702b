package strike

import (
	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// SaveNumber is the total of a d20 from which a creature's Save vs Paralysis
// succeeds: the sheet's own, or by level or hit dice.
//
// original.attack.save-roll
func SaveNumber(c *eventv1.Creature) int32 {
	if n := body.SheetOf(c).SaveParalysis; n > 0 {
		return n
	}
	return body.Find(Book.Save, body.LevelOf(c)).Value
}

// SavesFromParalysis rolls a Save vs Paralysis: a d20 with the modifiers of the
// rule that calls for it. No face succeeds or fails by itself.
//
// original.attack.save-roll
func SavesFromParalysis(r *rules.Resolution, label, id, why, rule string, mods ...*eventv1.Modifier) rules.Rolled {
	var counted []*eventv1.Modifier
	for _, m := range mods {
		if m.Value != 0 {
			counted = append(counted, m)
		}
	}
	return r.Roll(rules.RollSpec{Label: label + "/save", Creature: id, Expression: "1d20", Modifiers: counted, Reason: "Save vs Paralysis: " + why,
		Target: &eventv1.TargetNumber{Kind: "save", Value: SaveNumber(r.Creature(id))}, Rules: []string{rule, cite.AttackSaveRoll}})
}

// PsyBonus is what PSY is worth.
//
// original.attack.ability-bonus-table
func PsyBonus(c *eventv1.Creature) int32 {
	if s := body.SheetOf(c); s.PsyBonus != nil {
		return *s.PsyBonus
	}
	return body.Find(Book.Ability, body.Score(c, "psyche")).Value
}
