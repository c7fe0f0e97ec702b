package systems_test

import (
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// lister lists options as a machine reads them that chooses among them: what may be
// done to whom, and then all that there is to say of what it chose.
type lister struct {
	// known are the options with all that a form asks, in that state.
	state *eventv1.State
	known map[way][]*eventv1.Option
	room  rules.Room
}

// begin forgets all that was listed.
func (l *lister) begin() {
	l.state, l.known = nil, nil
	l.room.Clear()
}

// way is an action of a creature.
type way struct{ creature, action string }

// legal lists what a creature may do, and to whom.
func (l *lister) legal(sys rules.System, s *eventv1.State, creature string, which kind) []*eventv1.Option {
	q := rules.Query{State: s, Creature: creature, LegalOnly: true, WithoutDetails: true, Room: &l.room}
	switch which {
	case attacks:
		q.Groups = attackGroup
	case ending:
		q.Actions = endTurn
	}
	options := sys.Options(q)
	if which == anything {
		return options
	}
	return slices.DeleteFunc(options, func(o *eventv1.Option) bool { return !strings.Contains(o.Action, string(which)) })
}

// attackGroup are the groups that attacks stand in: some are made by a mount.
var attackGroup, endTurn = []string{"attack", "mount"}, []string{"end-turn"}

// whole is an option that was listed, the nth of its creature and action, with all that a
// form asks.
func (l *lister) whole(sys rules.System, s *eventv1.State, o *eventv1.Option, nth int) *eventv1.Option {
	if l.state != s {
		l.state, l.known = s, map[way][]*eventv1.Option{}
	}
	w := way{o.Creature, o.Action}
	if l.known[w] == nil {
		l.known[w] = sys.Options(rules.Query{State: s, Creature: o.Creature, Actions: []string{o.Action}, LegalOnly: true, WithoutSquares: true, Room: &l.room})
	}
	return l.known[w][nth]
}

// visible are the events that the player on the left may see.
func visible(s *eventv1.State, events []*eventv1.Event) []*eventv1.Event {
	return event.Visible(s, events, left)
}
