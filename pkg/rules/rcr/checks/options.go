package checks

import (
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// NeedAction says whether the creature's action is still to be had, for
// something that a terrified creature must not spend it on.
func NeedAction(c *eventv1.Creature) error {
	if body.Has(c, body.CondTerrified) {
		return body.Refuse("TERRIFIED", cite.ConditionTerrified, "%s is terrified: Dash, or Dodge where there is no way out", c.Name)
	}
	return ActionLeft(c)
}

// ActionLeft says whether the creature's action is still to be had, terrified or
// not.
func ActionLeft(c *eventv1.Creature) error {
	if c.Counters[body.CAction] < 1 {
		return body.Refuse("NO_ACTION", cite.BaseFifthEditionFallback, "%s has no action left", c.Name)
	}
	return nil
}

// NeedBonus says whether the creature's bonus action is still to be had.
//
// rcr.surprise.one-action
func NeedBonus(s *eventv1.State, c *eventv1.Creature) error {
	if c.Counters[body.CBonus] < 1 {
		rule := cite.BaseFifthEditionFallback
		if BareAction(s, c) {
			rule = cite.SurpriseOneAction
		}
		return body.Refuse("NO_BONUS_ACTION", rule, "%s has no bonus action left", c.Name)
	}
	return nil
}
