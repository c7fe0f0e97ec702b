package maneuvers

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules/celesia/answers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// RefuseForce says why a maneuver that moves a foe cannot be tried, by its own rule:
// the attacker is pinned, the foe out of reach or too large.
func RefuseForce(rule string) func(*eventv1.State, *eventv1.Creature, *eventv1.TakeAction) error {
	return func(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
		if err := refuseManeuver(s, c, take, rule); err != nil {
			return err
		}
		return answers.TooLarge(c, s.Creatures[body.Target(take)])
	}
}

// RefuseReposition says why a foe cannot be made to go elsewhere: as RefuseForce
// does, or there is no space for it.
func RefuseReposition(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if err := RefuseForce(answers.RuleReposition)(s, c, take); err != nil {
		return err
	}
	if t := s.Creatures[body.Target(take)]; t != nil {
		return strike.RefuseCornered(s, c, t)
	}
	return nil
}

// RefuseDrag says why a foe cannot be dragged: the one who drags must also be
// standing, on foot and in no grapple.
func RefuseDrag(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	switch {
	case body.Has(c, body.CondProne):
		return body.Refuse("PRONE", cite.MovementStandUp, "%s is prone", c.Name)
	case body.Has(c, body.CondGrappled):
		return body.Refuse("GRAPPLED", cite.ManeuverGrapple, "%s is in a grapple", c.Name)
	case body.MountOf(c) != "":
		return body.Refuse("MOUNTED", cite.MountSharedInitiative, "%s moves with its mount", c.Name)
	}
	return RefuseForce(answers.RuleDrag)(s, c, take)
}
