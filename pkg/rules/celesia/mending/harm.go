package mending

import (
	"math"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// damageRule is the rule by which damage of a nature counts.
func damageRule(nature string) string {
	switch nature {
	case body.NatureNonlethal:
		return cite.InjuryNonlethalTally
	case body.NatureBurn:
		return cite.InjuryBurnBehaves
	}
	return cite.InjuryHpBands
}

// Tallied tells whether damage of a nature goes on a tally.
func Tallied(nature string) bool { return nature == body.NatureNonlethal || nature == body.NatureBurn }

// TellDamage emits the damage as dealt and returns its sum, in points; times is
// the limit of the tallies, as in tallyUp.
func TellDamage(r *rules.Resolution, h *eventv1.Harm, times int32) int32 {
	total, parts := int32(0), make([]*eventv1.DamagePart, 0, len(h.Parts))
	for _, p := range h.Parts {
		parts = append(parts, &eventv1.DamagePart{Type: p.Type, Rolled: p.Rolled, Taken: max(0, p.Rolled), Note: p.Note, Rule: p.Rule, Factors: p.Factors})
	}
	house.Defends(r, r.Creature(h.Target), h.Source, parts)
	for _, p := range parts {
		total += p.Taken
	}
	if h.Nature == body.NatureNonlethal && body.Immune(r.Creature(h.Target), body.ImmuneNonlethal) {
		r.Note(event.Everyone(), h.Target, "immune to nonlethal damage", cite.InjuryBurnBehaves)
		return 0
	}
	c, lethal := r.Creature(h.Target), total
	if Tallied(h.Nature) {
		lethal = total - min(total, tallyRoom(c, times))
	}
	r.Emit(event.Controllers(h.Target), &eventv1.Damage{Target: h.Target, Source: h.Source, Cause: h.Cause, Parts: parts,
		Amount: total, Critical: h.Critical, Nature: h.Nature, Soaked: min(lethal, c.GetHpTemp())}, damageRule(h.Nature))
	return total
}

// tallyRoom is how many points the tallies still take, together, before the
// rest is lethal; with regeneration there is no end to it.
//
// celesia.injury.nonlethal-overflow, celesia.injury.nonlethal-overflow-regeneration
func tallyRoom(c *eventv1.Creature, times int32) int32 {
	if body.Feature(c, body.FeatRegeneration) {
		return math.MaxInt32
	}
	return max(0, times*c.GetHpMax()-int32(c.Counters[body.CNonlethal]+c.Counters[body.CBurn]))
}

// TallyUp counts nonlethal or burn damage on its tally; what goes beyond so many
// times the maximum hit points is lethal, except with regeneration.
//
// celesia.injury.nonlethal-tally, celesia.injury.nonlethal-overflow,
// celesia.injury.nonlethal-overflow-regeneration, celesia.injury.burn-behaves,
// celesia.injury.burn-stacks, celesia.injury.coup-nonlethal-overflow
func TallyUp(r *rules.Resolution, id, nature string, total, times int32) int32 {
	counter, rule := body.CNonlethal, cite.InjuryNonlethalTally
	if nature == body.NatureBurn {
		counter, rule = body.CBurn, cite.InjuryBurnBehaves
	}
	counted := min(total, tallyRoom(r.Creature(id), times))
	r.Set(id, counter, r.Count(id, counter)+int64(counted), nature+" damage", rule)
	if counted == total {
		SettleBody(r, id, total > 0)
	}
	return total - counted
}
