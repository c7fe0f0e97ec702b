package strike

import (
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

const (
	// CondRunning is on a runner until the start of its next turn.
	CondRunning = "running"
	// CondRan is on whoever ran in this round or the one before.
	CondRan = "ran"
)

// unbalanced tells whether a creature has lost its Dexterity bonus to DV, and
// with it what counts as dodging (a reading).
//
// celesia.condition.flat-footed, celesia.maneuver.grapple-pin, celesia.movement.run-loses-dexterity, celesia.attack.combat-expertise
func unbalanced(c *eventv1.Creature) bool {
	return body.Has(c, body.CondFlatFooted) || body.Has(c, body.CondPinning) || body.Has(c, body.CondPinned) || body.Has(c, CondRunning)
}
