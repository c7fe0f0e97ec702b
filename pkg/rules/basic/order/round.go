package order

import (
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// PutOn puts a creature on a number of the round; order above 0 is just before
// the others of the number.
func PutOn(r *rules.Resolution, id string, number, order int32, ruleIDs ...string) {
	r.Emit(event.Everyone(), &eventv1.InitiativeSet{Creature: id, Round: r.State().Round, Total: number, Tiebreak: order}, ruleIDs...)
}

// PlaceOf is a creature's place in the order of the running round; nil when it
// has none.
func PlaceOf(s *eventv1.State, c *eventv1.Creature) *eventv1.Initiative {
	for _, i := range c.GetInitiative() {
		if i.Round == s.Round {
			return i
		}
	}
	return nil
}

// Waiting tells whether a creature has still to come in this round.
func Waiting(s *eventv1.State, c *eventv1.Creature) bool {
	return body.Able(c) && PlaceOf(s, c) != nil && c.Counters[body.CTurn] != int64(s.Round)
}
