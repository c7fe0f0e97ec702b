package body

import (
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Speed is how far a creature gets with one Move, in feet: halved when disabled
// and again when half its legs are lost, each rounded down.
//
// celesia.injury.disabled-half-speed, celesia.injury.leg
func Speed(c *eventv1.Creature, mode string) int32 {
	feet := c.GetSheet().GetSpeeds()[mode] + int32(c.GetCounters()[house.CounterSpeed+mode])
	if Disabled(c) {
		feet /= 2
	}
	if legs := BodyOf(c).Legs; mode == "walk" && legs > 0 && 2*LostParts(c, "leg") >= legs {
		feet /= 2
	}
	return feet
}

// Legless tells whether a creature has lost the use of all its legs.
//
// celesia.injury.leg-all-lost
func Legless(c *eventv1.Creature) bool {
	legs := BodyOf(c).Legs
	return legs > 0 && LostParts(c, "leg") >= legs
}

// WayOf is how a creature moves: as asked, else on foot, else, when its legs do
// not carry it or it never had any, in the first way that it has a speed for.
func WayOf(c *eventv1.Creature, take *eventv1.TakeAction) string {
	if mode := spoken.Word(take.GetParameters(), "mode"); mode != "" {
		return mode
	}
	if Speed(c, "walk") > 0 && !Legless(c) {
		return "walk"
	}
	for _, mode := range rules.SortedKeys(c.GetSheet().GetSpeeds()) {
		if mode != "walk" && Speed(c, mode) > 0 {
			return mode
		}
	}
	return "walk"
}

// Pace is how far a creature gets with one Move when no way of moving is said: a mount
// without a walking speed flies or swims (a reading).
//
// celesia.mount.shared-initiative
func Pace(c *eventv1.Creature) int32 { return Speed(c, WayOf(c, nil)) }

// Grounded tells whether a creature has lost the use of all its legs and has no
// other way of moving; wings and fins need no legs (a reading).
//
// celesia.injury.leg-all-lost
func Grounded(c *eventv1.Creature) bool { return Legless(c) && WayOf(c, nil) == "walk" }
