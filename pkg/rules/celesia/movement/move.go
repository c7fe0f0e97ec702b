package movement

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/answers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/gear"
	"github.com/skaldrpg/skald/pkg/rules/celesia/items"
	"github.com/skaldrpg/skald/pkg/rules/celesia/maneuvers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// RefuseMove: on legs that carry, or in another way; a flyer without legs, which
// cannot stand up, takes off from where it lies.
//
// celesia.movement.move, celesia.injury.leg-all-lost
func RefuseMove(_ *eventv1.State, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	switch {
	case body.Grounded(c):
		return body.Refuse("NO_LEGS", cite.InjuryLegAllLost, "%s can only crawl", c.Name)
	case body.Has(c, body.CondProne) && !body.Legless(c):
		return body.Refuse("PRONE", cite.MovementStandUp, "%s is prone", c.Name)
	}
	return answers.Bound(c)
}

// CheckMove judges the way: no longer than the speed, no end in another's space.
//
// celesia.movement.move
func CheckMove(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	mode := body.WayOf(c, take)
	if _, ok := c.GetSheet().GetSpeeds()[mode]; !ok {
		return body.Refuse("NO_SPEED", cite.MovementMove, "%s cannot %s%s", c.Name, mode, rules.DidYouMean(mode, rules.SortedKeys(c.GetSheet().GetSpeeds())))
	}
	if body.Legless(c) && mode == "walk" {
		return body.Refuse("NO_LEGS", cite.InjuryLegAllLost, "%s can only crawl", c.Name)
	}
	if err := checkOnTheWay(s, c, take); err != nil {
		return err
	}
	feet, err := answers.PathLength(c, take)
	if err != nil {
		return err
	}
	if most := body.Speed(c, mode); feet > most {
		return body.Refuse("TOO_FAR", cite.MovementMove, "the way is %d feet, %s moves %d", feet, c.Name, most)
	}
	if err := answers.CheckPlace(s, c, take); err != nil {
		return err
	}
	if !spoken.Truth(take.Facts, "passes") {
		if err := maneuvers.RefuseThrough(s, c, take, answers.Holds(c)); err != nil {
			return err
		}
	}
	return maneuvers.FreeEnd(s, c, take)
}

// checkOnTheWay judges what is drawn or strapped on in the course of a Move.
//
// celesia.equipment.draw-with-move, celesia.equipment.draw-two, celesia.equipment.shield
func checkOnTheWay(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	name, second, shield := spoken.Word(take.Parameters, "draw"), spoken.Word(take.Parameters, "second"), spoken.Word(take.Parameters, "shield")
	if second != "" && name == "" {
		return fault.Field("take.parameters.second", "goes with a first weapon to draw")
	}
	if name != "" {
		if err := gear.RefuseDrawOnTheWay(s, c, name); err != nil {
			return err
		}
	}
	if second != "" {
		if err := gear.RefuseSecond(s, c, name, second, false); err != nil {
			return err
		}
	}
	if shield == "" {
		return nil
	}
	if name != "" && !items.Shielded(c, shield) && strike.FreeHands(c) < body.HandsFor(c, name)+1 || second != "" {
		return body.Refuse("NO_FREE_HAND", items.RuleShield, "there are not hands enough for all of it")
	}
	return gear.RefuseShieldOnMove(s, c, shield)
}

// RefuseStep: not where something hampers movement, nor for the slow.
//
// celesia.movement.step
func RefuseStep(_ *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	switch {
	case body.Legless(c) && body.WayOf(c, take) == "walk":
		return body.Refuse("NO_LEGS", cite.InjuryLegAllLost, "%s can only crawl", c.Name)
	case body.Has(c, body.CondProne):
		return body.Refuse("PRONE", cite.MovementStandUp, "%s is prone", c.Name)
	case c.GetSheet().GetSpeeds()[body.WayOf(c, take)] == 0:
		return body.Refuse("NO_SPEED", cite.MovementStep, "%s has no speed to %s", c.Name, body.WayOf(c, take))
	case body.Speed(c, body.WayOf(c, take)) <= 5:
		return body.Refuse("TOO_SLOW", cite.MovementStep, "the speed of %s does not exceed 5 feet", c.Name)
	case spoken.Truth(take.GetFacts(), "difficult") || spoken.Truth(take.GetFacts(), "dark"):
		return body.Refuse("HAMPERED", cite.MovementStep, "movement is hampered here")
	}
	return answers.Bound(c)
}

// RefuseCrawl: only the prone crawl.
//
// celesia.movement.crawl
func RefuseCrawl(_ *eventv1.State, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	if !body.Has(c, body.CondProne) {
		return body.Refuse("NOT_PRONE", cite.MovementCrawl, "%s is not prone", c.Name)
	}
	return answers.Bound(c)
}

// CheckShort judges a way of 5 feet, by the rule that sets them.
func CheckShort(rule string) func(*eventv1.State, *eventv1.Creature, *eventv1.TakeAction) error {
	return func(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
		feet, err := answers.PathLength(c, take)
		if err != nil {
			return err
		}
		if feet > 5 {
			return body.Refuse("TOO_FAR", rule, "the way is %d feet, 5 are allowed", feet)
		}
		return maneuvers.FreeEnd(s, c, take)
	}
}

// RefuseStand says why a creature cannot stand up: it is not prone, is pinned, or
// has no legs left.
func RefuseStand(_ *eventv1.State, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	switch {
	case !body.Has(c, body.CondProne):
		return body.Refuse("NOT_PRONE", cite.MovementStandUp, "%s is not prone", c.Name)
	case body.Legless(c):
		return body.Refuse("NO_LEGS", cite.InjuryLegAllLost, "%s cannot stand", c.Name)
	case body.Has(c, body.CondPinned):
		return body.Refuse("PINNED", cite.ManeuverPin, "%s is pinned", c.Name)
	}
	return nil
}

// DoStand ends being prone.
func DoStand(r *rules.Resolution, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	body.Lift(r, c.Id, body.CondProne, "stood up", cite.MovementStandUp)
	return nil
}

// RefuseDropProne refuses a creature that is prone already.
func RefuseDropProne(_ *eventv1.State, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	if body.Has(c, body.CondProne) {
		return body.Refuse("PRONE", cite.MovementDropProne, "%s is prone already", c.Name)
	}
	return nil
}

// DoDropProne lays the creature prone by its own will.
func DoDropProne(r *rules.Resolution, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	body.SetProne(r, c.Id, "dropped prone", cite.MovementDropProne)
	return nil
}
