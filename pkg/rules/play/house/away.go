package house

import (
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Away is the point so many feet straight away from one creature for another: along
// both axes as far as the two lie apart on them, at least on the longer. It is nil
// where a place is not known, both stand in one, or the point is off the map.
func Away(from, c *eventv1.Creature, feet int32) *eventv1.Position {
	a, b := from.GetPosition(), c.GetPosition()
	if a == nil || b == nil || feet < 1 {
		return nil
	}
	dx, dy := int64(b.X)-int64(a.X), int64(b.Y)-int64(a.Y)
	long := max(dx, -dx, dy, -dy)
	if long == 0 {
		return nil
	}
	to := &eventv1.Position{X: b.X + int32(dx*int64(feet)/long), Y: b.Y + int32(dy*int64(feet)/long), Z: b.Z}
	if max(to.X, -to.X, to.Y, -to.Y) > rules.MaxCoordinate {
		return nil
	}
	return to
}
