package strike

import (
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Refusing is an action's refusal by a function of the state and the creature.
func Refusing(why func(s *eventv1.State, c *eventv1.Creature) error) func(*play.At) error {
	return func(at *play.At) error { return why(at.State, at.Actor) }
}

// BareWhen lists a thing that is done without an item only where it can matter; a
// command is told why it cannot be done.
func BareWhen(matters func(at *play.At) bool) func(*play.At) []string {
	return func(at *play.At) []string {
		if at.Listing && !matters(at) {
			return nil
		}
		return checks.Bare
	}
}
