package play

import (
	"slices"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Lasts says what a turn does not last for, where turns end by themselves
// ([rules.Lasting]). The counters are the system's own.
type Lasts struct {
	// Minor are the counters that no turn lasts for: what can be spent outside of it, and
	// what handling a thing takes.
	Minor []string
	// Movement is the counter of the feet that are left in a turn: what moves without a
	// cost of its own holds the turn as long as there are some. Empty where nothing counts
	// them; then it always does, as it does for a creature that has no such counter.
	Movement string
}

// deeds are the groups of what is no small matter even where it is free. To drop, to let
// go, to speak, to crouch: a turn does not last for the sake of such things.
var deeds = []string{string(GroupAttack), string(GroupManeuver), string(GroupMagic), string(GroupAid)}

// HoldsTurn tells whether something that may be done keeps a turn from ending by itself:
// see [rules.Lasting].
func (f *Frame) HoldsTurn(c *eventv1.Creature, o *eventv1.Option) bool {
	// order-free: any one is enough
	for counter, amount := range o.Costs {
		if amount > 0 && !slices.Contains(f.Lasts.Minor, counter) {
			return true
		}
	}
	if len(o.Costs) > 0 {
		return false
	}
	feet, counted := c.GetCounters()[f.Lasts.Movement]
	return slices.Contains(deeds, o.Group) || o.Group == string(GroupMove) && (feet > 0 || !counted)
}
