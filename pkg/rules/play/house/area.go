package house

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/grid"
	contentv1 "github.com/skaldrpg/skald/proto/skald/content/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// InArea are the targets of what has an area: those named, then, by id, everybody
// whose place is known and who stands in it. A sphere, a cylinder and a cube lie about
// the first target; a cone and a line begin at the caster and point at it. Space is the
// side in feet of the space of a creature; out tells who cannot be a target at all.
func InArea(area *contentv1.Area, s *eventv1.State, caster string, named []string, space func(*eventv1.Creature) int32, out func(*eventv1.Creature) bool) []string {
	if area == nil || len(named) == 0 || s.Creatures[named[0]].GetPosition() == nil {
		return named
	}
	a := spread{area: area, from: s.Creatures[caster], first: s.Creatures[named[0]], space: space}
	list := slices.Clone(named)
	for _, id := range rules.SortedKeys(s.Creatures) {
		o := s.Creatures[id]
		if slices.Contains(list, id) || o.Position == nil || o.Staged || out(o) {
			continue
		}
		if a.covers(o) {
			list = append(list, id)
		}
	}
	return list
}

// spread is an area as it lies.
type spread struct {
	area        *contentv1.Area
	from, first *eventv1.Creature
	space       func(*eventv1.Creature) int32
}

func (a spread) feet(from, o *eventv1.Creature) int32 {
	return grid.Distance(from.Position, a.space(from), o.Position, a.space(o))
}

// covers tells whether a creature stands in it.
func (a spread) covers(o *eventv1.Creature) bool {
	switch a.area.Shape {
	case "cone", "line":
		return a.from.GetPosition() != nil && o.Id != a.from.Id && a.feet(a.from, o) <= a.area.Feet && a.ahead(o)
	case "cube":
		return 2*a.feet(a.first, o) <= a.area.Feet
	}
	return a.feet(a.first, o) <= a.area.Feet
}

// ahead tells whether the middle of a creature lies in a cone that is as wide as it is
// long, or within a line, from the caster to the first target. Points are counted in
// half feet on the ground, so that middles are whole numbers.
func (a spread) ahead(o *eventv1.Creature) bool {
	x, y := a.middle(a.from)
	tx, ty := a.middle(a.first)
	ox, oy := a.middle(o)
	dx, dy, vx, vy := tx-x, ty-y, ox-x, oy-y
	along, across := dx*vx+dy*vy, dx*vy-dy*vx
	if along <= 0 {
		return false
	}
	if a.area.Shape == "cone" {
		return 2*max(across, -across) <= along
	}
	width := int64(a.area.WidthFeet)
	if width == 0 {
		width = grid.Square
	}
	// across is the distance from the line times the length of (dx, dy); in half feet
	// half the width is the width.
	return max(across, -across) <= width*root(dx*dx+dy*dy)
}

// root is the square root, rounded up.
func root(n int64) int64 {
	low, high := int64(0), int64(1)<<31
	for low < high {
		if mid := (low + high) / 2; mid*mid >= n {
			high = mid
		} else {
			low = mid + 1
		}
	}
	return low
}

// middle is the middle of a creature's space in half feet.
func (a spread) middle(c *eventv1.Creature) (x, y int64) {
	s := int64(a.space(c))
	return 2*int64(c.Position.X) + s, 2*int64(c.Position.Y) + s
}
