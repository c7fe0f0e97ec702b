package checks

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Trigger says in words what provokes an opportunity attack.
type Trigger string

// CharmedBy tells whether a creature is charmed by another: it cannot attack it.
func CharmedBy(c *eventv1.Creature, source string) bool {
	return slices.ContainsFunc(c.GetConditions(), func(x *eventv1.Condition) bool {
		return x.Name == body.CondCharmed && x.Source == source
	})
}
