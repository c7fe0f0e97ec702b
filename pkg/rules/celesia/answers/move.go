package answers

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/grid"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// RuleDrawOnMove is the rule of drawing a weapon in the course of a Move.
const RuleDrawOnMove = cite.EquipmentDrawWithMove

// Bound says what keeps a creature in its place. Whoever is held cannot walk
// off; a holder only after choosing to move the foe.
func Bound(c *eventv1.Creature) error {
	switch {
	case body.MountOf(c) != "":
		return body.Refuse("MOUNTED", cite.MountSharedInitiative, "%s moves with its mount", c.Name)
	case HeldBy(c) != "":
		return body.Refuse("HELD", cite.ManeuverGrapple, "%s is held", c.Name)
	case Holds(c) != "" && c.Marks[body.MDragging] == "":
		return body.Refuse("HOLDING", cite.ManeuverGrappleMove, "%s holds a foe and has not chosen to move it", c.Name)
	case body.Has(c, body.CondPinned):
		return body.Refuse("PINNED", cite.ManeuverPin, "%s is pinned", c.Name)
	}
	return nil
}

// PathLength is the length of the way in feet; without a map it is what was
// stated, or nothing.
func PathLength(c *eventv1.Creature, take *eventv1.TakeAction) (int32, error) {
	if len(take.Path) == 0 {
		feet, _ := spoken.Number(take.Facts, "feet")
		return feet, nil
	}
	if c.Position == nil {
		return 0, fault.Field("take.path", "%s stands nowhere on the map", c.Id)
	}
	at, feet := c.Position, int32(0)
	for i, p := range take.Path {
		if body.OffSquares(at, p) {
			return 0, fault.Field("take.path["+body.Itoa(i)+"]", "lies %d, %d and %d feet from the point before it: the way goes by squares of %d feet",
				p.X-at.X, p.Y-at.Y, p.Z-at.Z, grid.Square)
		}
		feet += grid.Steps(at, p)
		at = p
	}
	return feet, nil
}
