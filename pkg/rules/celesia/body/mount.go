package body

import (
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Marks and counters of riding.
const (
	// MRuled is there when the rider has controlled a frightened mount this turn.
	MRuled = "mount-controlled"
	// MGait is the gait of the turn: single, double or run.
	MGait = "gait"
	// MRodeCast is castThen once the rider has cast after the mount had moved, and
	// castFirst once it has cast before it moves.
	MRodeCast = "rode-cast"
	// MDirected is on a mount that its rider has told to fight.
	MDirected = "directed"
	// MHadTurn is on a mount without acts in its rider's turn: it was mounted in that
	// turn, and had had its own of the round.
	MHadTurn = "had-turn"
	// CRode is how far the rider's mount has moved in the turn, in feet.
	CRode = "moved"
	// CRideLeft is how far the gait still carries it.
	CRideLeft = "movement"
)

// RiderOf and mountOf are the other half of a pair; empty without one.
func RiderOf(c *eventv1.Creature) string { return rules.RelationTo(c, RelCarries, "").GetTo() }

// MountOf is the id of the mount that a creature rides; empty when it rides none.
func MountOf(c *eventv1.Creature) string { return rules.RelationTo(c, RelRides, "").GetTo() }

// Paired tells whether two creatures are rider and mount, who share a space.
//
// celesia.mount.horse-space
func Paired(c, other *eventv1.Creature) bool {
	return MountOf(c) == other.Id || RiderOf(c) == other.Id
}
