package body

import (
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Grappling lists whom a creature holds in a grapple.
func Grappling(s *eventv1.State, c *eventv1.Creature) []string {
	var out []string
	for _, id := range rules.SortedKeys(s.Creatures) {
		if id != c.Id && GrappledBy(s.Creatures[id], c.Id) != nil {
			out = append(out, id)
		}
	}
	return out
}
