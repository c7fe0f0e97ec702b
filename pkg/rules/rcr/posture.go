package rcr

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// standingBase is the speed that half of is the cost of rising: the full speed
// in force, with exhaustion taken off, whatever is left of it this turn.
//
// rcr.condition.prone-rise
func standingBase(s *eventv1.State, c *eventv1.Creature) int32 {
	if feet := standingSpeedIn(s, c.Id, "walk"); feet > 0 {
		return feet
	}
	feet := int32(0)
	// order-free: the largest is taken
	for mode := range c.GetSheet().GetSpeeds() {
		feet = max(feet, standingSpeedIn(s, c.Id, mode))
	}
	return feet
}

// standCost is what standing up costs: half the speed from prone, 5 feet from
// a crouch.
//
// rcr.condition.prone-rise, rcr.condition.crouching-speed
func standCost(s *eventv1.State, c *eventv1.Creature) int32 {
	if has(c, condProne) {
		return standingBase(s, c) / 2
	}
	return 5
}

// crouchLoss is what a crouch takes off the movement of the turn.
//
// rcr.condition.crouching-speed
func crouchLoss(s *eventv1.State, c *eventv1.Creature) int32 {
	full := standingBase(s, c)
	return (full - full/2) * times(s, c)
}

// upright is what a creature would have left of its movement out of a crouch:
// what was spent comes off the normal speed.
//
// rcr.condition.crouching-speed
func upright(s *eventv1.State, c *eventv1.Creature) int32 {
	left := int32(c.Counters[cMovement])
	if !has(c, condCrouching) {
		return left
	}
	return min(left+crouchLoss(s, c), standingBase(s, c)*times(s, c)-int32(c.Counters[cMoved]))
}

func refuseRise(s *eventv1.State, c *eventv1.Creature) error {
	if err := refuseSpeed(s, c); err != nil {
		return err
	}
	if cost := standCost(s, c); upright(s, c) < cost {
		rule := cite.ConditionProneRise
		if !has(c, condProne) {
			rule = cite.ConditionCrouchingSpeed
		}
		return refuse("NO_MOVEMENT", rule, "rising takes %d feet of movement, %s has %d left", cost, c.Name, max(0, upright(s, c)))
	}
	return nil
}

func refuseStand(s *eventv1.State, c *eventv1.Creature) error {
	if !has(c, condProne) && !has(c, condCrouching) {
		return refuse("STANDING", cite.ConditionProneRise, "%s stands", c.Name)
	}
	return refuseRise(s, c)
}

func endPosture(r *rules.Resolution, id, cause string) {
	for _, x := range slices.Clone(r.Creature(id).Conditions) {
		if x.Name == condProne || x.Name == condCrouching {
			r.RemoveCondition(id, x, cause, cite.ConditionCrouchingDefinition)
		}
	}
}

func refuseCrouch(s *eventv1.State, c *eventv1.Creature) error {
	switch {
	case has(c, condCrouching):
		return refuse("CROUCHING", cite.ConditionCrouchingDefinition, "%s crouches already", c.Name)
	case has(c, condProne):
		return refuseRise(s, c)
	}
	return nil
}

func refuseDropProne(c *eventv1.Creature) error {
	if has(c, condProne) {
		return refuse("PRONE", cite.ConditionProneCrawl, "%s is prone", c.Name)
	}
	return nil
}

func refuseBlindWalk(s *eventv1.State, c *eventv1.Creature) error {
	const rule = cite.ConditionBlindedMovement
	switch {
	case !has(c, condBlinded):
		return refuse("NOT_BLINDED", rule, "%s is not blinded", c.Name)
	case c.Marks[mSteady] != "":
		return refuse("ONE_CHECK", rule, "%s has tried this turn", c.Name)
	case has(c, condProne):
		return refuse("PRONE", rule, "%s is prone", c.Name)
	}
	return refuseSpeed(s, c)
}

// sizeEdge is the edge of an overrun: for the larger, against the smaller.
func sizeEdge(c, e *eventv1.Creature) []*eventv1.Edge {
	a, b := slices.Index(sizes, c.Size), slices.Index(sizes, e.Size)
	switch {
	case a < 0 || b < 0 || a == b:
		return nil
	case a > b:
		return []*eventv1.Edge{adv("size", "larger", cite.BaseFifthEditionFallback)}
	}
	return []*eventv1.Edge{dis("size", "smaller", cite.BaseFifthEditionFallback)}
}
