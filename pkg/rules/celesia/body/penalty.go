package body

import (
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// condPenalty lowers an ability score, named by its variant, by so many points.
const (
	CondPenalty = "ability-penalty"
	ValuePoints = "points"
)

// penalised is by how much penalties lower an ability score.
func penalised(c *eventv1.Creature, ability string) int32 {
	sum := int32(0)
	for _, x := range c.GetConditions() {
		if x.Name == CondPenalty && x.Variant == ability {
			sum += max(0, x.Values[ValuePoints])
		}
	}
	return sum
}
