package body

import (
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// GrappledBy is the grappled condition that a source, by its id, laid on a creature;
// nil for none.
func GrappledBy(c *eventv1.Creature, source string) *eventv1.Condition {
	for _, x := range c.GetConditions() {
		if x.Name == CondGrappled && x.Source == source {
			return x
		}
	}
	return nil
}
