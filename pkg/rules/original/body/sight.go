package body

import (
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Busy tells whether a creature is in melee with a foe besides one.
func Busy(s *eventv1.State, c *eventv1.Creature, besides string) bool {
	// order-free: any one is enough
	for id, other := range s.Creatures {
		if id != besides && !Out(other) && InMelee(c, other) {
			return true
		}
	}
	return false
}

// AnyWeapon is the list of a command that names no weapon.
var AnyWeapon = []string{""}

const (
	// SquareFeet is how far apart the points are that are listed.
	SquareFeet = 5
	// FewFeet is the longest move whose points are listed, in feet.
	FewFeet = 15
)

// Deed carries out an action by a function of actor and command.
func Deed(do func(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error) func(r *rules.Resolution, at *play.At) error {
	return func(r *rules.Resolution, at *play.At) error { return do(r, at.Actor, at.Take) }
}
