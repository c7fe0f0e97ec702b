package original

import (
	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// saveNumber is the total of a d20 from which a creature's Save vs Paralysis
// succeeds: the sheet's own, or by level or hit dice.
//
// original.attack.save-roll
func saveNumber(c *eventv1.Creature) int32 {
	if n := sheetOf(c).SaveParalysis; n > 0 {
		return n
	}
	return find(book.save, levelOf(c)).value
}

// savesFromParalysis rolls a Save vs Paralysis: a d20 with the modifiers of the
// rule that calls for it. No face succeeds or fails by itself.
//
// original.attack.save-roll
func savesFromParalysis(r *rules.Resolution, label, id, why, rule string, mods ...*eventv1.Modifier) rules.Rolled {
	var counted []*eventv1.Modifier
	for _, m := range mods {
		if m.Value != 0 {
			counted = append(counted, m)
		}
	}
	return r.Roll(rules.RollSpec{Label: label + "/save", Creature: id, Expression: "1d20", Modifiers: counted, Reason: "Save vs Paralysis: " + why,
		Target: &eventv1.TargetNumber{Kind: "save", Value: saveNumber(r.Creature(id))}, Rules: []string{rule, cite.AttackSaveRoll}})
}

// levelsAbove is +1 for every 3 full levels by which one is above another.
//
// original.action.disarm-save, original.mount.dismount-save
func levelsAbove(c, over *eventv1.Creature, rule string) *eventv1.Modifier {
	return mod(max(0, levelOf(c)-levelOf(over))/3, "levels above", rule)
}

// psyBonus is what PSY is worth.
//
// original.attack.ability-bonus-table
func psyBonus(c *eventv1.Creature) int32 {
	if s := sheetOf(c); s.PsyBonus != nil {
		return *s.PsyBonus
	}
	return find(book.ability, score(c, "psyche")).value
}
