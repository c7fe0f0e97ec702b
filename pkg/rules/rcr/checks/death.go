package checks

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

const (
	// DecDeathInspiration asks the dying creature's player whether to spend
	// inspiration instead of rolling a death save.
	DecDeathInspiration = "death-save-inspiration"
	// MostExhaustion is the highest level that can be lived with.
	MostExhaustion = 10
)

// Airless tells whether a creature would have no air if it needed any.
func Airless(c *eventv1.Creature) bool {
	return slices.ContainsFunc(c.GetConditions(), func(x *eventv1.Condition) bool {
		return x.Name == body.CondSuffocating || x.Name == body.CondParalyzed && x.Variant == body.VariantDisabled
	})
}
