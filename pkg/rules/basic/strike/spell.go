package strike

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Disrupted makes the one saving throw of a caster who was attacked on the
// number on which it casts. The source names no category: reading, spells.
// Spells of the same number disturb none.
//
// basic.spell.disruption, basic.spell.same-number-casters
func Disrupted(r *rules.Resolution, caster string) bool {
	c := r.Creature(caster)
	if !attacked(r.State(), caster) { // nor was anybody who is off the field
		return false
	}
	saved := Save(r, "disruption/"+caster, c, nil, body.CatSpells, "casting while attacked", cite.SpellDisruption)
	if saved.Success() {
		return false
	}
	r.Note(saved.Audience, caster, "the spell is disrupted and lost", cite.SpellDisruption)
	return true
}

// Attacks notes that a creature attacks another, on the number that the count stands
// at, in a way that disturbs casting.
//
// basic.spell.disruption, basic.spell.disrupt-by-delay
func Attacks(r *rules.Resolution, id, target, rule string) {
	s := r.State()
	n := int32(s.Counters[body.CCount])
	if rel := rules.RelationTo(r.Creature(id), body.RelAttacks, target); rel != nil && rel.Round == s.Round && rel.Values["number"] == n {
		return
	}
	r.Relate(id, &eventv1.Relation{Kind: body.RelAttacks, To: target, Round: s.Round, Values: map[string]int32{"number": n}, Rule: rule}, rule)
}

// attacked tells whether anybody attacked a creature on the number that the count
// stands at.
func attacked(s *eventv1.State, id string) bool {
	// order-free: whether there is one
	for _, c := range s.Creatures {
		if rel := rules.RelationTo(c, body.RelAttacks, id); rel != nil && rel.Round == s.Round && int64(rel.Values["number"]) == s.Counters[body.CCount] {
			return true
		}
	}
	return false
}

// noSave is the number of a category that a sheet does not name: out of reach.
const noSave = 21

// Save is d20 against the creature's own number of the category. Source forces it;
// nil for nobody.
//
// basic.dice.saving-throw
func Save(r *rules.Resolution, label string, c, source *eventv1.Creature, category, reason, ruleID string) rules.Rolled {
	return saveBy(r, label, c, source, category, 0, reason, ruleID)
}

// saveBy is Save against another number, unless that is 0.
func saveBy(r *rules.Resolution, label string, c, source *eventv1.Creature, category string, number int32, reason string, ruleIDs ...string) rules.Rolled {
	if n, ok := body.SheetOf(c).Saves[category]; number == 0 {
		if number = n; !ok {
			number = noSave
		}
	}
	label, point := "save/"+label, house.PointSave+"/"+category
	env := effects.Env{Actor: source, Target: c, Roll: effects.Roll{Point: point}}
	mods := append(Hampered(r, c, body.RollSave), house.Mods(r, label, c, nil, point, env)...)
	expression, again := house.Again(r, c, point, env, "1d20")
	rolled := r.Roll(rules.RollSpec{Label: label, Creature: c.Id, Expression: expression, Reason: reason, Modifiers: mods,
		Target: &eventv1.TargetNumber{Kind: category, Value: number}, Rules: slices.Concat(ruleIDs, []string{cite.DiceSavingThrow}, again)})
	env.Roll.Natural, env.Roll.Total, env.Roll.Success = rolled.Natural, rolled.Total, rolled.Success()
	trigger := effects.TriggerSaveFailed
	if rolled.Success() {
		trigger = effects.TriggerSavePassed
	}
	Happen(r, label, c.Id, trigger, env)
	return rolled
}
