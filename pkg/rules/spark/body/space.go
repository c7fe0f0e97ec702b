package body

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/grid"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Sizes and the feet of a side of the space each takes.
var Sizes = []string{"tiny", "small", "medium", "large", "huge", "gargantuan"}

// SpaceFeet is a side of a creature's space in feet: 5 up to medium and for a size
// unknown.
func SpaceFeet(c *eventv1.Creature) int32 {
	return max(5, 5*(int32(slices.Index(Sizes, c.GetSize()))-1))
}

// Distance is the feet between two creatures, neighbours being 5 apart, and
// whether both stand on the map.
func Distance(a, b *eventv1.Creature) (int32, bool) {
	if a.GetPosition() == nil || b.GetPosition() == nil {
		return 0, false
	}
	return DistanceAt(a.Position, a, b.Position, b), true
}

// DistanceAt is the feet between two creatures as if a stood at p and b at q;
// neighbours are 5 apart.
func DistanceAt(p *eventv1.Position, a *eventv1.Creature, q *eventv1.Position, b *eventv1.Creature) int32 {
	return grid.Distance(p, SpaceFeet(a), q, SpaceFeet(b))
}

// Steps cuts a path into straight pieces of at most 5 feet.
func Steps(from *eventv1.Position, path []*eventv1.Position) []*eventv1.Position {
	var out []*eventv1.Position
	for _, to := range path {
		n := max(1, (grid.Steps(from, to)+4)/5)
		for k := int32(1); k <= n; k++ {
			out = append(out, &eventv1.Position{X: from.X + (to.X-from.X)*k/n, Y: from.Y + (to.Y-from.Y)*k/n, Z: from.Z + (to.Z-from.Z)*k/n})
		}
		from = to
	}
	return out
}

// Living lists the creatures that are not out of the fight.
func Living(s *eventv1.State) []string {
	var ids []string
	for _, id := range rules.SortedKeys(s.Creatures) {
		if !Out(s.Creatures[id]) {
			ids = append(ids, id)
		}
	}
	return ids
}

// AnyOther tells whether anybody else is not out of the fight.
func AnyOther(s *eventv1.State, c *eventv1.Creature) bool {
	// order-free: one is enough
	for id, o := range s.Creatures {
		if id != c.Id && !Out(o) {
			return true
		}
	}
	return false
}

// Nearest lists the creatures at the least distance from a creature, within
// feet and without those left out. Where the creature is not on the map there
// are none.
//
// spark.fumble.nearest
func Nearest(s *eventv1.State, c *eventv1.Creature, feet int32, leave ...string) []string {
	var found []string
	least := feet
	for _, id := range Living(s) {
		d, known := Distance(c, s.Creatures[id])
		if id == c.Id || !known || d > least || slices.Contains(leave, id) {
			continue
		}
		if d < least {
			found, least = nil, d
		}
		found = append(found, id)
	}
	return found
}

// Behind finds who stands in reach on the side of a creature that is opposite
// to its target: the nearest within an eighth of a turn of that direction.
//
// spark.fumble.nearest
func Behind(s *eventv1.State, c, target *eventv1.Creature, reach int32) string {
	if c.GetPosition() == nil || target.GetPosition() == nil {
		return ""
	}
	ax, ay := c.Position.X-target.Position.X, c.Position.Y-target.Position.Y
	best, least := "", reach
	for _, id := range Living(s) {
		o := s.Creatures[id]
		d, known := Distance(c, o)
		if id == c.Id || id == target.Id || !known || d > least {
			continue
		}
		bx, by := o.Position.X-c.Position.X, o.Position.Y-c.Position.Y
		dot, cross := int64(ax)*int64(bx)+int64(ay)*int64(by), int64(ax)*int64(by)-int64(ay)*int64(bx)
		if dot <= 0 || max(cross, -cross) > dot || best != "" && d == least {
			continue
		}
		best, least = id, d
	}
	return best
}
