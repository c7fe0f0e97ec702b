package strike

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// SaveNumber is the total of a d20 from which a creature's Save vs Paralysis
// succeeds: the sheet's own, or by level or hit dice.
//
// original.attack.save-roll
func (k *Tables) SaveNumber(c *eventv1.Creature) int32 {
	if n := body.SheetOf(c).SaveParalysis; n > 0 {
		return n
	}
	return body.Find(k.Save, body.LevelOf(c)).Value
}

// saveRule is the rule behind the number that content changed; empty for the book's own.
func (k *Tables) saveRule(c *eventv1.Creature) string {
	if body.SheetOf(c).SaveParalysis > 0 {
		return ""
	}
	return body.Find(k.Save, body.LevelOf(c)).By
}

// SavesFromParalysis rolls a Save vs Paralysis: a d20 with the modifiers of the
// rule that calls for it. No face succeeds or fails by itself.
//
// original.attack.save-roll
func SavesFromParalysis(r *rules.Resolution, label, id, why, rule string, mods ...*eventv1.Modifier) rules.Rolled {
	return saveBy(r, label, id, nil, 0, why, []string{rule}, mods...)
}

// saveBy is the save against another number, unless that is 0. Source forces it; nil
// for nobody.
func saveBy(r *rules.Resolution, label, id string, source *eventv1.Creature, number int32, why string, behind []string, mods ...*eventv1.Modifier) rules.Rolled {
	var counted []*eventv1.Modifier
	for _, m := range mods {
		if m.Value != 0 {
			counted = append(counted, m)
		}
	}
	k, c := TablesOf(r.Content()), r.Creature(id)
	behind = append(slices.Clip(behind), cite.AttackSaveRoll)
	if number == 0 {
		if number = k.SaveNumber(c); k.saveRule(c) != "" {
			behind = append(behind, k.saveRule(c))
		}
	}
	env := effects.Env{Actor: source, Target: c, Roll: effects.Roll{Point: PointSave}}
	counted = append(counted, house.Mods(r, label+"/save", c, nil, PointSave, env)...)
	expression, again := house.Again(r, c, PointSave, env, "1d20")
	rolled := r.Roll(rules.RollSpec{Label: label + "/save", Creature: id, Expression: expression, Modifiers: counted, Reason: "Save vs Paralysis: " + why,
		Target: &eventv1.TargetNumber{Kind: "save", Value: number}, Rules: append(behind, again...)})
	env.Roll.Natural, env.Roll.Total, env.Roll.Success = rolled.Natural, rolled.Total, rolled.Success()
	trigger := effects.TriggerSaveFailed
	if rolled.Success() {
		trigger = effects.TriggerSavePassed
	}
	Happen(r, label+"/save", id, trigger, env)
	return rolled
}

// PsyBonus is what PSY is worth.
//
// original.attack.ability-bonus-table
func (k *Tables) PsyBonus(c *eventv1.Creature) int32 {
	if s := body.SheetOf(c); s.PsyBonus != nil {
		return *s.PsyBonus
	}
	return body.Find(k.Ability, body.Score(c, "psyche")).Value
}
