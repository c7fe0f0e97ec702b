package body

import (
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

const (
	// TimeImmediate is the time of abilities that are reactions.
	TimeImmediate = "immediate"
	// TimeOpportunity is the time of abilities that are used in place of an attack of
	// opportunity.
	TimeOpportunity = "opportunity"
	// KindCounter is a maneuver that answers a foe.
	KindCounter = "counter"
)

// Reactive tells whether an ability is used as a reaction alone.
func Reactive(a *eventv1.CelesiaAbility) bool {
	return a.GetTime() == TimeImmediate || a.GetTime() == TimeOpportunity
}
