package body

import (
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func Ranged(w *eventv1.CelesiaWeapon) bool { return shoots(w) || w.Kind == KindThrown }
