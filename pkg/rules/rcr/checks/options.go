package checks

import (
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// NeedAction says whether the creature's action is still to be had, for
// something that a terrified creature must not spend it on.
func NeedAction(c *eventv1.Creature) error { return NeedActionUnless(false, c) }

// NeedActionUnless is [NeedAction], unless why not is unread.
func NeedActionUnless(unread bool, c *eventv1.Creature) error {
	if body.Has(c, body.CondTerrified) {
		return play.RefuseUnless(unread, "TERRIFIED", cite.ConditionTerrified, "%s is terrified: Dash, or Dodge where there is no way out", c.Name)
	}
	return actionLeft(unread, c)
}

// ActionLeft says whether the creature's action is still to be had, terrified or
// not.
func ActionLeft(c *eventv1.Creature) error { return actionLeft(false, c) }

func actionLeft(unread bool, c *eventv1.Creature) error {
	if c.Counters[body.CAction] < 1 {
		return play.RefuseUnless(unread, "NO_ACTION", cite.BaseFifthEditionFallback, "%s has no action left", c.Name)
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
