package body

import (
	"slices"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Grappling lists whom a creature holds in a grapple.
func Grappling(s *eventv1.State, c *eventv1.Creature) []string {
	var out []string
	// order-free: sorted below
	for id, x := range s.Creatures {
		if id != c.Id && GrappledBy(x, c.Id) != nil {
			out = append(out, id)
		}
	}
	slices.Sort(out)
	return out
}
