package checks

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// penaltyOf is the penalty of a spell at a caster level, in points: what its dice
// show and a point for each so many levels.
//
// celesia.spell.degrees-combined
func penaltyOf(sp *eventv1.CelesiaSpell, rolled, level int32) int32 {
	more := int32(0)
	if sp.PenaltyLevels > 0 {
		more = level / sp.PenaltyLevels
	}
	if sp.PenaltyMost > 0 {
		more = min(more, sp.PenaltyMost)
	}
	return rolled + more
}

// LowerAbilities rolls the penalty of a spell once and lays it on those whom it
// reached, each at the caster level that counts for it, halved by a saving throw
// that was made. Of the same spell only the larger penalty counts.
//
// celesia.spell.degrees-combined, celesia.spell.degrees-attack, celesia.spell.degrees-save
func LowerAbilities(r *rules.Resolution, c *eventv1.Creature, sp *eventv1.CelesiaSpell, all []Struck) {
	if sp.PenaltyAbility == "" || len(all) == 0 {
		return
	}
	d, _ := body.ParseDice(sp.PenaltyDice) // CheckSheet has seen it
	rolled := r.Roll(rules.RollSpec{Label: "cast/penalty", Creature: c.Id, Expression: d.Times(1), Reason: sp.Name + ": penalty to " + sp.PenaltyAbility,
		Rules: []string{cite.SpellDegreesCombined}}).Total
	for _, one := range all {
		points := penaltyOf(sp, rolled, one.Level)
		if one.Saved {
			points /= 2
		}
		penalise(r, c.Id, sp, one.Id, points)
	}
}

func penalise(r *rules.Resolution, caster string, sp *eventv1.CelesiaSpell, at string, points int32) {
	t := r.Creature(at)
	if _, scored := body.Score(t, sp.PenaltyAbility); !scored || body.Dead(t) || points < 1 {
		return
	}
	for _, x := range t.Conditions {
		if x.Name != body.CondPenalty || x.Variant != sp.PenaltyAbility || x.Cause != sp.Name {
			continue
		}
		if x.Values[body.ValuePoints] >= points {
			return
		}
		r.RemoveCondition(at, x, "a larger penalty of the same spell", cite.SpellDegreesCombined)
		break
	}
	r.AddCondition(at, &eventv1.Condition{Name: body.CondPenalty, Variant: sp.PenaltyAbility, Source: caster, Cause: sp.Name,
		Values: map[string]int32{body.ValuePoints: points}, Rule: cite.SpellDegreesCombined})
}
