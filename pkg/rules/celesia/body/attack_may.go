package body

import (
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Ranged tells whether a weapon attacks at range: it shoots or is thrown.
func Ranged(w *eventv1.CelesiaWeapon) bool { return shoots(w) || w.Kind == KindThrown }
