package strike

import (
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Segment is one call of the round: who acts, all at the same time.
type Segment struct {
	Kind string
	Ids  []string
}

// DieOf is a creature's initiative for the round; 0 when it has none.
func DieOf(s *eventv1.State, id string) int32 {
	for _, i := range s.Creatures[id].GetInitiative() {
		if i.Round == s.Round {
			return i.Total
		}
	}
	return 0
}
