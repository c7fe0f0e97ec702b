package answers

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// RuleClasses is the rule of how many acts an action of each class takes, and which
// of them must be done in a row.
const RuleClasses = cite.TurnActionClasses

// BegunByID is what a creature has begun under an id; nil when there is none.
func BegunByID(c *eventv1.Creature, id string) *eventv1.Begun {
	for _, b := range c.GetBegun() {
		if b.Id == id {
			return b
		}
	}
	return nil
}

// BegunWithPart is the action that a creature has begun with a part of its acts;
// nil without one.
func BegunWithPart(c *eventv1.Creature) *eventv1.Begun { return BegunByID(c, body.BegunUnderway) }

// ActsLeft is how many acts something begun still takes.
func ActsLeft(b *eventv1.Begun) int32 { return b.GetNeeded() - b.GetDone() }

// RefuseGiveUp says that nothing is under way that could be given up.
func RefuseGiveUp(_ *eventv1.State, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	if BegunWithPart(c) == nil {
		return body.Refuse("NOTHING_UNDER_WAY", RuleClasses, "%s has begun no action", c.Name)
	}
	return nil
}

// EndUnderway ends the action that a creature has begun with a part of its acts; the
// outcome says how, for all to see.
func EndUnderway(r *rules.Resolution, id, outcome string) {
	r.Emit(event.Everyone(), &eventv1.BegunEnded{Creature: id, Id: body.BegunUnderway, Outcome: outcome}, RuleClasses)
}
