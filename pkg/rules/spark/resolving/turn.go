package resolving

import (
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Hand is the place of a weapon in hand.
func Hand(w *eventv1.SparkWeapon) string {
	if w.GetOffHand() {
		return "off"
	}
	return "main"
}
