package body

import (
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// PlaceKnown is where others take a creature to be: where it stands, or where it
// was seen last before it hid; nil when nobody knows.
func PlaceKnown(c *eventv1.Creature) *eventv1.Position {
	if !Has(c, CondHidden) {
		return c.GetPosition()
	}
	seen := rules.BegunOf(c, BegunHiding).GetValues()
	if len(seen) == 0 {
		return nil
	}
	return &eventv1.Position{X: seen["x"], Y: seen["y"], Z: seen["z"]}
}

// DistanceTo is the way from a creature to another as the first knows it: to one
// who hides, the way to where it was seen last. It is false when nobody knows.
func DistanceTo(c, other *eventv1.Creature) (int32, bool) {
	at := PlaceKnown(other)
	if c.GetId() == other.GetId() {
		at = other.GetPosition()
	}
	if c.GetPosition() == nil || at == nil {
		return 0, false
	}
	return Between(c, c.Position, other, at), true
}
