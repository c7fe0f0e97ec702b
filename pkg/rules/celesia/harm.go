package celesia

import (
	"math"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// dealDamage carries out damage of any nature.
func dealDamage(r *rules.Resolution, h *eventv1.Harm) {
	total := tellDamage(r, h, 1)
	if total == 0 {
		return
	}
	lethal := total
	if tallied(h.Nature) {
		lethal = tallyUp(r, h.Target, h.Nature, total, 1)
	}
	takeLethal(r, h, lethal)
	massive(r, h.Target, lethal, h.Cause)
}

// tallied tells whether damage of a nature goes on a tally.
func tallied(nature string) bool { return nature == natureNonlethal || nature == natureBurn }

// tellDamage emits the damage as dealt and returns its sum, in points; times is
// the limit of the tallies, as in tallyUp.
func tellDamage(r *rules.Resolution, h *eventv1.Harm, times int32) int32 {
	total, parts := int32(0), make([]*eventv1.DamagePart, 0, len(h.Parts))
	for _, p := range h.Parts {
		n := max(0, p.Rolled)
		total += n
		parts = append(parts, &eventv1.DamagePart{Type: p.Type, Rolled: p.Rolled, Taken: n, Note: p.Note, Rule: p.Rule})
	}
	if h.Nature == natureNonlethal && immune(r.Creature(h.Target), immuneNonlethal) {
		r.Note(event.Everyone(), h.Target, "immune to nonlethal damage", cite.InjuryBurnBehaves)
		return 0
	}
	c, lethal := r.Creature(h.Target), total
	if tallied(h.Nature) {
		lethal = total - min(total, tallyRoom(c, times))
	}
	r.Emit(event.Controllers(h.Target), &eventv1.Damage{Target: h.Target, Source: h.Source, Cause: h.Cause, Parts: parts,
		Amount: total, Critical: h.Critical, Nature: h.Nature, Soaked: min(lethal, c.GetHpTemp())})
	return total
}

// tallyRoom is how many points the tallies still take, together, before the
// rest is lethal; with regeneration there is no end to it.
//
// celesia.injury.nonlethal-overflow, celesia.injury.nonlethal-overflow-regeneration
func tallyRoom(c *eventv1.Creature, times int32) int32 {
	if feature(c, featRegeneration) {
		return math.MaxInt32
	}
	return max(0, times*c.GetHpMax()-int32(c.Counters[cNonlethal]+c.Counters[cBurn]))
}

// tallyUp counts nonlethal or burn damage on its tally; what goes beyond so many
// times the maximum hit points is lethal, except with regeneration.
//
// celesia.injury.nonlethal-tally, celesia.injury.nonlethal-overflow,
// celesia.injury.nonlethal-overflow-regeneration, celesia.injury.burn-behaves,
// celesia.injury.burn-stacks, celesia.injury.coup-nonlethal-overflow
func tallyUp(r *rules.Resolution, id, nature string, total, times int32) int32 {
	counter, rule := cNonlethal, cite.InjuryNonlethalTally
	if nature == natureBurn {
		counter, rule = cBurn, cite.InjuryBurnBehaves
	}
	counted := min(total, tallyRoom(r.Creature(id), times))
	r.Set(id, counter, r.Count(id, counter)+int64(counted), nature+" damage", rule)
	if counted == total {
		settleBody(r, id, total > 0)
	}
	return total - counted
}

// takeLethal applies damage to hit points: temporary ones first, then the
// choice of an injury in its place. What massive damage means comes after it.
func takeLethal(r *rules.Resolution, h *eventv1.Harm, dealt int32) {
	if dealt <= 0 {
		return
	}
	c := r.Creature(h.Target)
	soaked := min(dealt, c.GetHpTemp())
	left := dealt - soaked
	var chosen string
	if left > 0 && c.GetHp()-left <= 0 {
		chosen = offerCrippling(r, h, left)
	}
	if chosen != "" {
		row, side := splitChoice(chosen)
		negated := min(left, crippleRow(row).negated)
		left -= negated
		cripplePart(r, h.Target, row, side, negated, h.Cause)
	}
	r.SetHitPoints(h.Target, c.GetHp()-left, c.GetHpMax(), c.GetHpTemp()-soaked, cite.InjuryHpBands)
	// Damage that an injury cancels in full was not taken: who is stable stays so.
	settleBody(r, h.Target, left+soaked > 0)
}

// massive is the save against massive damage and, once survived, the injury
// that it brings. What counts is what the attack dealt, before anything was
// taken in its place.
//
// celesia.injury.massive-threshold, celesia.injury.massive-save,
// celesia.injury.massive-single-attack, celesia.injury.massive-crit-immune
func massive(r *rules.Resolution, id string, dealt int32, cause string) {
	c := r.Creature(id)
	if dead(c) || immune(c, immuneCritical) || dealt < 50 || 2*dealt < c.GetHpMax() {
		return
	}
	dc := 15 + (dealt-50)/2
	if !rollSaving(r, "massive-damage/"+id, c, "fortitude", dc, "massive damage", nil, cite.InjuryMassiveSave).Success() {
		kill(r, id, "massive damage", cite.InjuryMassiveSave)
		return
	}
	impose(r, id, dealt, cause)
}

// coup is the damage of a coup de grace and the save of a victim that outlives
// it; one that massive damage asks for comes after that.
//
// celesia.death.coup-save
func coup(r *rules.Resolution, h *eventv1.Harm) {
	dealt := tellDamage(r, h, 2)
	if h.Nature == natureNonlethal && immune(r.Creature(h.Target), immuneNonlethal) {
		return
	}
	lethal := dealt
	if h.Nature == natureNonlethal {
		lethal = tallyUp(r, h.Target, h.Nature, dealt, 2)
	}
	takeLethal(r, h, lethal)
	coupSave(r, h, dealt)
	massive(r, h.Target, lethal, h.Cause)
}

// coupSave is the save against a coup de grace: failed it is death, or, for
// whoever a nonlethal one left conscious, unconsciousness. It goes by the damage
// dealt, before anything was taken in its place.
//
// celesia.death.coup-save, celesia.attack.coup-nonlethal
func coupSave(r *rules.Resolution, h *eventv1.Harm, dealt int32) {
	c := r.Creature(h.Target)
	gentle := h.Nature == natureNonlethal
	if dead(c) || gentle && (down(c) || has(c, condUnconscious)) {
		return
	}
	if rollSaving(r, "coup/"+c.Id, c, "fortitude", 10+dealt, "coup de grace", nil, cite.DeathCoupSave).Success() {
		return
	}
	if gentle {
		r.AddCondition(c.Id, &eventv1.Condition{Name: condUnconscious, Cause: "coup de grace", Rule: cite.AttackCoupNonlethal})
		return
	}
	kill(r, c.Id, "coup de grace", cite.DeathCoupSave)
}
