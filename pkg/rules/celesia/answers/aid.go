package answers

import (
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Friends lists those whom a creature can aid.
func Friends(s *eventv1.State, c *eventv1.Creature) []string {
	var out []string
	for _, id := range rules.SortedKeys(s.Creatures) {
		if f := s.Creatures[id]; id != c.Id && f.Side == c.Side && !body.Dead(f) {
			out = append(out, id)
		}
	}
	return out
}
