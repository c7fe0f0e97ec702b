package systems_test

import (
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// lister lists options as a machine reads them that draws what it does: of the first
// action that can be taken, with all but the squares that a movement can end at.
type lister struct{ room rules.Room }

// begin forgets all that was listed.
func (l *lister) begin() { l.room.Clear() }

// first are the options of the first of the actions that a creature can take.
func (l *lister) first(sys rules.System, s *eventv1.State, creature string, actions []string) []*eventv1.Option {
	return sys.Options(rules.Query{State: s, Creature: creature, Actions: actions, First: true, LegalOnly: true,
		WithoutSquares: true, Room: &l.room})
}

// legal lists what a creature may do, and to whom.
func (l *lister) legal(sys rules.System, s *eventv1.State, creature string) []*eventv1.Option {
	return sys.Options(rules.Query{State: s, Creature: creature, LegalOnly: true, WithoutDetails: true, Room: &l.room})
}

// owner is whose state it is in place, for a build that can change one so.
type owner struct{ own *event.Shared }

// changing has a run change the state in place, if the build can.
func (o *owner) changing(req *rules.Request) bool {
	if o.own == nil || o.own.State != req.State {
		o.own = event.Own(req.State)
	}
	req.Own = o.own
	return true
}

// visible are the events that the player on the left may see.
func visible(s *eventv1.State, events []*eventv1.Event) []*eventv1.Event {
	return event.Visible(s, events, left)
}
