package items

import (
	"github.com/skaldrpg/skald/pkg/rules/rcr/answers"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// ItemProvokes tells whether the activation of a magic item provokes.
//
// rcr.opportunity.magic-item
func ItemProvokes(it *eventv1.RcrItem) bool {
	return answers.ItemCost(it) == body.CAction && !it.CommandWordOnly
}

// OnWhom is the target of a command, or its actor.
func OnWhom(c *eventv1.Creature, take *eventv1.TakeAction) string {
	if len(take.Targets) == 0 {
		return c.Id
	}
	return take.Targets[0]
}
