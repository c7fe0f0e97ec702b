package body

import (
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func GrappledBy(c *eventv1.Creature, source string) *eventv1.Condition {
	for _, x := range c.GetConditions() {
		if x.Name == CondGrappled && x.Source == source {
			return x
		}
	}
	return nil
}
