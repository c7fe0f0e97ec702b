package systems_test

import (
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// legal lists what a creature may do, and no more of it than a machine reads that
// chooses among it.
func legal(sys rules.System, s *eventv1.State, creature string) []*eventv1.Option {
	return sys.Options(rules.Query{State: s, Creature: creature, LegalOnly: true, WithoutSquares: true})
}

// visible are the events that the player on the left may see.
func visible(s *eventv1.State, events []*eventv1.Event) []*eventv1.Event {
	return event.Visible(s, events, left)
}
