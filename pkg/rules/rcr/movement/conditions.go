package movement

import (
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/dice"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// layEffects puts the conditions of an attack, a spell or a power on a target.
// What the sheet makes it immune to does not take.
func layEffects(r *rules.Resolution, source, target *eventv1.Creature, cause string, effects []*eventv1.RcrEffect, save *eventv1.RcrSave) {
	for _, e := range effects {
		c := r.Creature(target.Id)
		if body.Dead(c) {
			return
		}
		LayEffect(r, source, c, cause, e, save)
	}
}

// LayEffect puts the condition of one effect on a living creature, to last for its
// rounds, until a save or an escape, or as long as concentration on its cause;
// immunity keeps it off.
func LayEffect(r *rules.Resolution, source, c *eventv1.Creature, cause string, e *eventv1.RcrEffect, save *eventv1.RcrSave) {
	const rule = cite.BaseFifthEditionFallback
	if immune(c, e.Condition) {
		r.Note(r.Audience(rules.FactCondition, e.Condition, c.Id), c.Id, "immune to "+e.Condition, rule)
		return
	}
	if house.KeepsOff(r, c, e.Condition) {
		return
	}
	if e.Condition == body.CondProne {
		body.SetProne(r, c.Id, cause, rule)
		return
	}
	values := map[string]int32{}
	if e.EscapeDc > 0 {
		values["escape_dc"] = e.EscapeDc
	}
	if e.SaveEnds && save != nil {
		values[body.SaveEnds+save.Ability] = body.FullDC(source, save.Dc)
	}
	if cause != "" && body.Concentration(source) == cause {
		values["concentration"] = 1 // it ends with the concentration on the spell
	}
	body.Temporary(r, source, c.Id, cause, e)
	x := &eventv1.Condition{Name: e.Condition, Variant: e.Variant, Source: source.GetId(), Cause: cause, Values: body.WithChanges(values, e), Rule: rule}
	if e.Condition == body.CondParalyzed && x.Variant == "" {
		x.Variant = body.VariantStricken // rcr.condition.paralyzed-stricken
	}
	if e.Rounds > 0 {
		x.Until = body.UntilNextTurn(r, source.GetId(), e.Rounds)
	}
	AddCondition(r, c.Id, x)
	if e.Condition == body.CondRaging && body.HasTrait(c, body.TraitRage) {
		dice.EndConcentration(r, c.Id, "rage") // rcr.trait.rage
	}
}

// immune tells whether a condition does not take hold of a creature, by its sheet or by
// what it is.
func immune(c *eventv1.Creature, condition string) bool {
	return body.Named(body.SheetOf(c).ConditionImmunities, condition) || condition == body.CondPoisoned && body.Has(c, body.CondPetrified)
}

// AddCondition puts a condition on a creature with what follows from it at
// once: disabled paralysis lets it fall, whoever is unconscious falls and rages no more,
// whoever is incapacitated lets go.
//
// rcr.condition.paralyzed-disabled, rcr.condition.replace-base, rcr.trait.rage
func AddCondition(r *rules.Resolution, id string, x *eventv1.Condition) {
	r.AddCondition(id, x)
	imply(r, id, x, true)
	KeepPace(r, id)
	if x.Name == body.CondParalyzed && x.Variant == body.VariantDisabled {
		body.SetProne(r, id, "disabled paralysis", cite.ConditionParalyzedDisabled)
	}
	if x.Name == body.CondUnconscious {
		body.SetProne(r, id, "unconscious", cite.BaseFifthEditionFallback)
		CalmDown(r, id)
	}
	dice.LetGo(r, id)
}
