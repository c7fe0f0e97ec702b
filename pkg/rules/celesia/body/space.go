package body

import (
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/grid"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Footprint is the side of the space that a creature fills, in feet.
func Footprint(c *eventv1.Creature) int32 {
	if side := rules.RelationTo(c, RelRides, "").GetValues()["space"]; side > 0 {
		return side // celesia.mount.horse-space: the rider shares the mount's
	}
	switch c.GetSize() {
	case "large":
		return 10
	case "huge":
		return 15
	case "gargantuan":
		return 20
	case "colossal":
		return 30
	}
	return 5
}

// Distance is the distance between two creatures in feet, measured in squares
// of 5 feet, and whether both have a position; 0 when they have not. Adjacent creatures
// are 5 apart.
func Distance(a, b *eventv1.Creature) (int32, bool) {
	if a.GetPosition() == nil || b.GetPosition() == nil {
		return 0, false
	}
	return grid.Distance(a.Position, Footprint(a), b.Position, Footprint(b)), true
}

// OffSquares tells whether a point is not whole squares away from another, in each
// direction.
func OffSquares(a, b *eventv1.Position) bool {
	return (b.GetX()-a.GetX())%grid.Square != 0 || (b.GetY()-a.GetY())%grid.Square != 0 || (b.GetZ()-a.GetZ())%grid.Square != 0
}

// Apart is the distance that counts for an act: the stated one beats the
// measured one, and 0 stands for one that nobody knows.
func Apart(take *eventv1.TakeAction, a, b *eventv1.Creature) (int32, bool) {
	if n, ok := spoken.Number(take.GetFacts(), "distance"); ok {
		return n, true
	}
	return Distance(a, b)
}

// Blocked tells whether a creature would stand in the space of another.
func Blocked(s *eventv1.State, c *eventv1.Creature, at *eventv1.Position, passing string) bool {
	moved := &eventv1.Creature{Id: c.Id, Size: c.Size, Position: at}
	// order-free: any creature in the way will do
	for id, other := range s.Creatures {
		if id == c.Id || id == passing || Paired(c, other) || Dead(other) || other.Position == nil {
			continue
		}
		if feet, _ := Distance(moved, other); feet == 0 {
			return true
		}
	}
	return false
}

// Beside finds a free space adjacent to a creature for another, the nearest to
// where it stands; nil when there is none.
//
// celesia.maneuver.grapple-pull
func Beside(s *eventv1.State, holder, foe *eventv1.Creature) *eventv1.Position {
	return BesideBut(s, holder, foe, nil)
}

// BesideBut is like Beside, but never the space to shun; nil shuns none.
func BesideBut(s *eventv1.State, holder, foe *eventv1.Creature, shun *eventv1.Position) *eventv1.Position {
	var best *eventv1.Position
	h, f := holder.Position, Footprint(foe)
	for x := h.X - f; x <= h.X+Footprint(holder); x += 5 {
		for y := h.Y - f; y <= h.Y+Footprint(holder); y += 5 {
			at := &eventv1.Position{X: x, Y: y, Z: h.Z}
			feet, _ := Distance(holder, &eventv1.Creature{Size: foe.Size, Position: at})
			if feet != 5 || Blocked(s, foe, at, "") || shun != nil && grid.Steps(at, shun) == 0 {
				continue
			}
			if best == nil || grid.Steps(at, foe.Position) < grid.Steps(best, foe.Position) {
				best = at
			}
		}
	}
	return best
}

// OutOfReach refuses what does not reach a creature; how far away one is that is
// out of sight is not told.
func OutOfReach(rule string, t *eventv1.Creature, feet int32) error {
	if outOfSight(t) {
		return Refuse("OUT_OF_REACH", rule, "%s is out of reach", t.Name)
	}
	return Refuse("OUT_OF_REACH", rule, "%s is %d feet away", t.Name, feet)
}
