package body

import (
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Conditions of a lunge: the longer reach of the turn and the lower DV after it.
const (
	CondLunging = "lunging"
	CondLunged  = "lunged"
)

// lungeReach is what a lunge adds to the reach of melee attacks, in feet.
func lungeReach(c *eventv1.Creature) int32 { return Condition(c, CondLunging).GetValues()["reach"] }
