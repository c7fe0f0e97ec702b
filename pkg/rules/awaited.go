package rules

import (
	"github.com/skaldrpg/skald/pkg/rules/effects"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Awaiter is a system in whose fights something is waited for from creatures although
// nobody has the turn, such as what each means to do.
type Awaiter interface {
	// Awaited lists them by their ids, in order, as far as a viewer's state tells. The
	// content may be nil.
	Awaited(s *eventv1.State, content *effects.Book) []string
}

// Awaited lists from whom something is waited for in a state, as far as it tells: those
// who have the turn, else those whom the system waits for.
func Awaited(sys System, s *eventv1.State, content *effects.Book) []string {
	if len(s.Active) > 0 {
		return s.Active
	}
	if own, ok := sys.(Awaiter); ok {
		return own.Awaited(s, content)
	}
	return nil
}
