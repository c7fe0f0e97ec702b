package movement

import (
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/answers"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/dice"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// StandingBase is the speed that half of is the cost of rising: the full speed
// in force, with exhaustion taken off, whatever is left of it this turn.
//
// rcr.condition.prone-rise
func StandingBase(s *eventv1.State, c *eventv1.Creature) int32 {
	if feet := body.StandingSpeedIn(s, c.Id, "walk"); feet > 0 {
		return feet
	}
	feet := int32(0)
	// order-free: the largest is taken
	for mode := range c.GetSheet().GetSpeeds() {
		feet = max(feet, body.StandingSpeedIn(s, c.Id, mode))
	}
	return feet
}

// standCost is what standing up costs: half the speed from prone, 5 feet from
// a crouch.
//
// rcr.condition.prone-rise, rcr.condition.crouching-speed, rcr.feat.athlete-stand
func standCost(s *eventv1.State, c *eventv1.Creature) int32 {
	if body.Has(c, body.CondProne) && !body.Feat(s, c, body.FeatAthlete, cite.FeatAthleteStand) {
		return StandingBase(s, c) / 2
	}
	return 5
}

// crouchLoss is what a crouch takes off the movement of the turn.
//
// rcr.condition.crouching-speed
func crouchLoss(s *eventv1.State, c *eventv1.Creature) int32 {
	full := StandingBase(s, c)
	return (full - full/2) * times(s, c)
}

// upright is what a creature would have left of its movement out of a crouch:
// what was spent comes off the normal speed.
//
// rcr.condition.crouching-speed
func upright(s *eventv1.State, c *eventv1.Creature) int32 {
	left := int32(c.Counters[body.CMovement])
	if !body.Has(c, body.CondCrouching) {
		return left
	}
	return min(left+crouchLoss(s, c), StandingBase(s, c)*times(s, c)-int32(c.Counters[body.CMoved]))
}

func refuseRise(s *eventv1.State, c *eventv1.Creature) error {
	return refuseRiseFor(s, c, standCost(s, c))
}

// refuseRiseFor says why a creature cannot rise for so many feet.
func refuseRiseFor(s *eventv1.State, c *eventv1.Creature, cost int32) error {
	if err := answers.RefuseSpeed(s, c); err != nil {
		return err
	}
	if upright(s, c) < cost {
		rule := cite.ConditionProneRise
		if !body.Has(c, body.CondProne) {
			rule = cite.ConditionCrouchingSpeed
		}
		return body.Refuse("NO_MOVEMENT", rule, "rising takes %d feet of movement, %s has %d left", cost, c.Name, max(0, upright(s, c)))
	}
	return nil
}

func refuseStand(s *eventv1.State, c *eventv1.Creature) error {
	if !body.Has(c, body.CondProne) && !body.Has(c, body.CondCrouching) {
		return body.Refuse("STANDING", cite.ConditionProneRise, "%s stands", c.Name)
	}
	return refuseRise(s, c)
}

func endPosture(r *rules.Resolution, id, cause string) {
	for _, x := range r.Creature(id).Conditions {
		if x.Name == body.CondProne || x.Name == body.CondCrouching {
			r.RemoveCondition(id, x, cause, cite.ConditionCrouchingDefinition)
		}
	}
}

func refuseCrouch(s *eventv1.State, c *eventv1.Creature) error {
	switch {
	case body.Has(c, body.CondCrouching):
		return body.Refuse("CROUCHING", cite.ConditionCrouchingDefinition, "%s crouches already", c.Name)
	case body.Has(c, body.CondProne):
		return refuseRiseFor(s, c, StandingBase(s, c)/2)
	}
	return nil
}

func refuseDropProne(c *eventv1.Creature) error {
	if body.Has(c, body.CondProne) {
		return body.Refuse("PRONE", cite.ConditionProneCrawl, "%s is prone", c.Name)
	}
	return nil
}

func refuseBlindWalk(s *eventv1.State, c *eventv1.Creature) error {
	const rule = cite.ConditionBlindedMovement
	switch {
	case !body.Has(c, body.CondBlinded):
		return body.Refuse("NOT_BLINDED", rule, "%s is not blinded", c.Name)
	case c.Marks[body.MSteady] != "":
		return body.Refuse("ONE_CHECK", rule, "%s has tried this turn", c.Name)
	case body.Has(c, body.CondProne):
		return body.Refuse("PRONE", rule, "%s is prone", c.Name)
	}
	return answers.RefuseSpeed(s, c)
}

// sizeEdge is the edge of an overrun: for the larger, against the smaller.
func sizeEdge(c, e *eventv1.Creature) []*eventv1.Edge {
	switch by := larger(c, e); {
	case by > 0:
		return []*eventv1.Edge{dice.Adv("size", "larger", cite.BaseFifthEditionFallback)}
	case by < 0:
		return []*eventv1.Edge{dice.Dis("size", "smaller", cite.BaseFifthEditionFallback)}
	}
	return nil
}
