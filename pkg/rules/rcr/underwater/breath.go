package underwater

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

const (
	// roundsPerMinute and secondsPerRound are the fifth edition's.
	roundsPerMinute = 10
	secondsPerRound = 6
	// noAir is the cause of the suffocation that air ends.
	noAir = "no air under water"
)

// BreathRounds is how many rounds a creature can hold its breath: its Constitution
// modifier and 1 more in minutes, never less than none.
//
// rcr.underwater.breath-time, rcr.trait.hold-breath
func BreathRounds(c *eventv1.Creature) int32 {
	return roundsPerMinute * max(0, body.AbilityMod(c, "constitution")+1, body.BreathMinutes(c))
}

// Settle brings everybody in line with the water: who is under it by its place,
// who holds its breath, who has lost it, and who has air again.
func Settle(r *rules.Resolution) {
	for _, id := range r.CreatureIDs() {
		c := r.Creature(id)
		if under, known := measured(r.State(), c); known && under != body.Has(c, body.CondSubmerged) {
			if under {
				submerge(r, id, 0, "it is under the surface")
			} else {
				emerge(r, id, "it is at the surface")
			}
		}
		settleBreath(r, id)
	}
}

// gasps is the suffocation of a creature for want of air under water; nil for none.
func gasps(c *eventv1.Creature) *eventv1.Condition {
	at := slices.IndexFunc(c.GetConditions(), func(x *eventv1.Condition) bool { return x.Name == body.CondSuffocating && x.Cause == noAir })
	if at < 0 {
		return nil
	}
	return c.Conditions[at]
}

// holdsBreath tells whether water keeps a creature from the air that it needs.
func holdsBreath(s *eventv1.State, c *eventv1.Creature) bool {
	return !body.Dead(c) && body.UnderWater(s, c, body.WaterSaid{}) && !body.BreathesWater(c)
}

// settleBreath begins the holding of a breath, ends it where there is air, and
// takes it from the unconscious.
//
// rcr.underwater.breath-time, rcr.underwater.unconscious-breath
func settleBreath(r *rules.Resolution, id string) {
	c := r.Creature(id)
	if !holdsBreath(r.State(), c) {
		if c.Counters[body.CBreath] > 0 {
			r.Set(id, body.CBreath, 0, "it breathes", cite.UnderwaterBreathTime)
		}
		if x := gasps(c); x != nil && !body.Dead(c) {
			r.RemoveCondition(id, x, "it breathes", cite.UnderwaterBreathTime)
			r.Set(id, body.CSuffocating, 0, "it breathes", cite.UnderwaterSuffocatingEscalation)
		}
		return
	}
	if gasps(c) != nil {
		return
	}
	if (body.Down(c) || body.Has(c, body.CondUnconscious)) && r.On(cite.UnderwaterUnconsciousBreath) {
		loseBreath(r, id, cite.UnderwaterUnconsciousBreath)
		return
	}
	if c.Counters[body.CBreath] > 0 || !r.On(cite.UnderwaterBreathTime) {
		return
	}
	if rounds := BreathRounds(c); rounds > 0 {
		r.Set(id, body.CBreath, int64(rounds), "it holds its breath", cite.UnderwaterBreathTime)
		return
	}
	loseBreath(r, id, cite.UnderwaterBreathTime)
}

// loseBreath leaves a creature without breath: it suffocates, and saves against it
// from the start of its next turn on.
func loseBreath(r *rules.Resolution, id, rule string) {
	r.Set(id, body.CBreath, 0, noAir, rule)
	if gasps(r.Creature(id)) == nil {
		r.AddCondition(id, &eventv1.Condition{Name: body.CondSuffocating, Cause: noAir, Rule: rule})
	}
}

// Breathe counts a round off the breath that a creature holds, at the start of its
// turn and after what that turn begins with: with the last it begins to suffocate,
// and it saves in the turn after.
//
// rcr.underwater.breath-time
func Breathe(r *rules.Resolution, id string) {
	c := r.Creature(id)
	left := c.Counters[body.CBreath]
	if left < 1 || !holdsBreath(r.State(), c) || !r.On(cite.UnderwaterBreathTime) {
		return
	}
	if left == 1 {
		loseBreath(r, id, cite.UnderwaterBreathTime)
		return
	}
	r.Set(id, body.CBreath, left-1, "it holds its breath", cite.UnderwaterBreathTime)
}

// SpeaksSpell tells whether a spell said under water costs its caster breath: it
// has a verbal component and needs air (a reading).
//
// rcr.underwater.verbal-check, rcr.underwater.verbal-breath-lost
func SpeaksSpell(s *eventv1.State, c *eventv1.Creature, sp *eventv1.RcrSpell, said body.WaterSaid) bool {
	return sp.Verbal && body.UnderWater(s, c, said) && !body.BreathesWater(c)
}

// Exhale takes the breath of a caster that has spoken a spell under water, cast or
// not. One who is there by the word of a command alone is put there by it.
//
// rcr.underwater.verbal-breath-lost
func Exhale(r *rules.Resolution, id string) {
	if !r.On(cite.UnderwaterVerbalBreathLost) {
		return
	}
	if _, known := measured(r.State(), r.Creature(id)); !known {
		submerge(r, id, 0, "it has spoken under water")
	}
	if holdsBreath(r.State(), r.Creature(id)) {
		loseBreath(r, id, cite.UnderwaterVerbalBreathLost)
	}
}
