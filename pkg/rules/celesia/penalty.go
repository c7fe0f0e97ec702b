package celesia

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// condPenalty lowers an ability score, named by its variant, by so many points.
const (
	condPenalty = "ability-penalty"
	valuePoints = "points"
)

// penalised is by how much penalties lower an ability score.
func penalised(c *eventv1.Creature, ability string) int32 {
	sum := int32(0)
	for _, x := range c.GetConditions() {
		if x.Name == condPenalty && x.Variant == ability {
			sum += max(0, x.Values[valuePoints])
		}
	}
	return sum
}

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

// lowerAbilities rolls the penalty of a spell once and lays it on those whom it
// reached, each at the caster level that counts for it, halved by a saving throw
// that was made. Of the same spell only the larger penalty counts.
//
// celesia.spell.degrees-combined, celesia.spell.degrees-attack, celesia.spell.degrees-save
func lowerAbilities(r *rules.Resolution, c *eventv1.Creature, sp *eventv1.CelesiaSpell, all []struck) {
	d, ok := parseDice(sp.PenaltyDice)
	if sp.PenaltyAbility == "" || !ok || len(all) == 0 {
		return
	}
	rolled := r.Roll(rules.RollSpec{Label: "cast/penalty", Creature: c.Id, Expression: d.times(1), Reason: sp.Name + ": penalty to " + sp.PenaltyAbility,
		Rules: []string{cite.SpellDegreesCombined}}).Total
	for _, one := range all {
		points := penaltyOf(sp, rolled, one.level)
		if one.saved {
			points /= 2
		}
		penalise(r, c.Id, sp, one.id, points)
	}
}

func penalise(r *rules.Resolution, caster string, sp *eventv1.CelesiaSpell, at string, points int32) {
	t := r.Creature(at)
	if _, scored := score(t, sp.PenaltyAbility); !scored || dead(t) || points < 1 {
		return
	}
	for _, x := range t.Conditions {
		if x.Name != condPenalty || x.Variant != sp.PenaltyAbility || x.Cause != sp.Name {
			continue
		}
		if x.Values[valuePoints] >= points {
			return
		}
		r.RemoveCondition(at, x, "a larger penalty of the same spell", cite.SpellDegreesCombined)
		break
	}
	r.AddCondition(at, &eventv1.Condition{Name: condPenalty, Variant: sp.PenaltyAbility, Source: caster, Cause: sp.Name,
		Values: map[string]int32{valuePoints: points}, Rule: cite.SpellDegreesCombined})
}

// penalty checks the penalty of a spell.
func (k *sheetCheck) penalty(field string, sp *eventv1.CelesiaSpell) {
	k.among(field+".penalty_ability", sp.PenaltyAbility, "", "strength", "dexterity", "intelligence", "wisdom", "charisma")
	k.dice(field+".penalty_dice", sp.PenaltyDice, diceWord, sp.PenaltyAbility != "")
	k.between(field+".penalty_levels", sp.PenaltyLevels, 0, 40)
	k.between(field+".penalty_most", sp.PenaltyMost, 0, 40)
}
