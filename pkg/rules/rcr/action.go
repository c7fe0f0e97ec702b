package rcr

import (
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// action is one thing a creature can do. The same refuse function answers for
// the list of options and for the deed, so that the two cannot disagree.
type action struct {
	// id as in TakeAction.action.
	id string
	// title for people.
	title string
	// options lists the ways to do it from what a viewer may see; each is legal
	// or carries its reason. It must list every way that do accepts.
	options func(s *eventv1.State, c *eventv1.Creature) []*eventv1.Option
	// do carries it out; the creature's turn and state are checked in it.
	do func(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error
	// anytime actions need no turn of one's own.
	anytime bool
}

// refuse makes a refusal.
func refuse(reason, rule, format string, args ...any) error {
	return fault.Refuse(reason, rule, format, args...)
}

// spend takes one from a counter of the turn.
func spend(r *rules.Resolution, id, counter, why string, ruleIDs ...string) {
	r.Set(id, counter, r.Count(id, counter)-1, why, ruleIDs...)
}
