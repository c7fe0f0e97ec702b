package house

import (
	"cmp"
	"slices"

	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/grid"
	contentv1 "github.com/skaldrpg/skald/proto/skald/content/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Space is what areas ask of a system.
type Space struct {
	// Side of a creature's space in feet; nil where creatures stand at points.
	Side func(c *eventv1.Creature) int32
	// Feet between two creatures that have places; nil measures from space to space.
	Feet func(a, b *eventv1.Creature) int32
	// Out tells whether nothing can befall a creature any more.
	Out func(c *eventv1.Creature) bool
}

// InArea are the targets of a spell with an area: those named, then everybody whose
// place is known and who stands in it. A sphere, a cylinder and a cube lie about the
// first target; a cone and a line begin at the caster and point at it. Spells
// without an area have the targets that are named.
func (sp Space) InArea(book *effects.Book, s *eventv1.State, c *eventv1.Creature, spell string, named []string) []string {
	area := book.Area(spell)
	if area == nil || len(named) == 0 || s.Creatures[named[0]].GetPosition() == nil {
		return named
	}
	first, out := s.Creatures[named[0]], slices.Clone(named)
	for _, id := range rules.SortedKeys(s.Creatures) {
		o := s.Creatures[id]
		if slices.Contains(out, id) || o.Position == nil || o.Staged || sp.Out(o) {
			continue
		}
		if sp.covers(area, c, first, o) {
			out = append(out, id)
		}
	}
	return out
}

// AreaOf is the area of a spell as options show it; nil where it has none.
func AreaOf(book *effects.Book, spell string) *eventv1.Area {
	if area := book.Area(spell); area != nil {
		return shown(area)
	}
	return nil
}

func shown(area *contentv1.Area) *eventv1.Area {
	out := &eventv1.Area{Shape: area.Shape, Feet: area.Feet, Origin: "target"}
	switch area.Shape {
	case "cone":
		out.Origin, out.WidthFeet = "actor", area.Feet
	case "line":
		out.Origin, out.WidthFeet = "actor", lineWidth(area)
	}
	return out
}

// lineWidth is the width of a line in feet.
func lineWidth(area *contentv1.Area) int32 { return cmp.Or(area.WidthFeet, grid.Square) }

// covers tells whether a creature stands in an area.
func (sp Space) covers(area *contentv1.Area, caster, first, o *eventv1.Creature) bool {
	switch area.Shape {
	case "cone", "line":
		return o.Id != caster.Id && caster.Position != nil && sp.apart(caster, o) <= area.Feet && sp.ahead(area, caster, first, o)
	case "cube":
		return 2*sp.apart(first, o) <= area.Feet
	}
	return sp.apart(first, o) <= area.Feet
}

func (sp Space) apart(a, b *eventv1.Creature) int32 {
	if sp.Feet != nil {
		return sp.Feet(a, b)
	}
	return grid.Distance(a.Position, sp.Side(a), b.Position, sp.Side(b))
}

// ahead tells whether the middle of a creature lies in a cone that is as wide as it
// is long, or within a line, from the caster to the first target. Points are counted
// in half feet on the ground, so that middles are whole numbers.
func (sp Space) ahead(area *contentv1.Area, caster, first, o *eventv1.Creature) bool {
	x, y := sp.middle(caster)
	tx, ty := sp.middle(first)
	ox, oy := sp.middle(o)
	dx, dy, vx, vy := tx-x, ty-y, ox-x, oy-y
	along, across := dx*vx+dy*vy, dx*vy-dy*vx
	if along <= 0 {
		return false
	}
	if area.Shape == "cone" {
		return 2*max(across, -across) <= along
	}
	width := int64(lineWidth(area))
	// across is the distance from the line times the length of (dx, dy); in half feet
	// half the width is the width. Squares of both sides would not fit on a wide map.
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
func (sp Space) middle(c *eventv1.Creature) (x, y int64) {
	side := int64(0)
	if sp.Side != nil {
		side = int64(sp.Side(c))
	}
	return 2*int64(c.Position.X) + side, 2*int64(c.Position.Y) + side
}
