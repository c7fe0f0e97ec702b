package order

import (
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// HasFlat tells whether one can strike with the flat of a weapon.
//
// basic.attack.subdual-weapons
func HasFlat(w *eventv1.BasicWeapon) bool { return !w.AllEdges && !w.Natural }
