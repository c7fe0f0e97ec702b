package house

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	contentv1 "github.com/skaldrpg/skald/proto/skald/content/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Measure is how a system measures on the map, for areas. A creature stands at a point.
type Measure struct {
	// Feet between two creatures that have places.
	Feet func(a, b *eventv1.Creature) int32
	// Out tells whether nothing can befall a creature any more.
	Out func(c *eventv1.Creature) bool
}

// InArea are the targets of a spell of content with an area: those named, then
// everybody whose place is known and who stands in it. A sphere, a cylinder and a cube
// lie about the first target; a cone and a line begin at the caster and point at it.
// Spells without an area have the targets that are named.
func (m Measure) InArea(book *effects.Book, s *eventv1.State, c *eventv1.Creature, spell string, named []string) []string {
	area := book.Area(spell)
	if area == nil || len(named) == 0 {
		return named
	}
	first := s.Creatures[named[0]]
	if first.GetPosition() == nil {
		return named
	}
	out := slices.Clone(named)
	for _, id := range rules.SortedKeys(s.Creatures) {
		o := s.Creatures[id]
		if slices.Contains(out, id) || o.Position == nil || o.Staged || m.Out(o) || !m.covers(area, c, first, o) {
			continue
		}
		out = append(out, id)
	}
	return out
}

// covers tells whether a creature stands in an area.
func (m Measure) covers(area *contentv1.Area, caster, first, o *eventv1.Creature) bool {
	switch area.Shape {
	case "cone", "line":
		return o.Id != caster.GetId() && caster.GetPosition() != nil && m.Feet(caster, o) <= area.Feet && ahead(area, caster.Position, first.Position, o.Position)
	case "cube":
		return 2*m.Feet(first, o) <= area.Feet
	}
	return m.Feet(first, o) <= area.Feet
}

// ahead tells whether a point lies in a cone that is as wide as it is long, or within a
// line, from one point to another; on the ground.
func ahead(area *contentv1.Area, from, to, at *eventv1.Position) bool {
	dx, dy := int64(to.X)-int64(from.X), int64(to.Y)-int64(from.Y)
	vx, vy := int64(at.X)-int64(from.X), int64(at.Y)-int64(from.Y)
	along, across := dx*vx+dy*vy, dx*vy-dy*vx
	if along <= 0 {
		return false
	}
	across = max(across, -across)
	if area.Shape == "cone" {
		return 2*across <= along
	}
	width := int64(max(5, area.WidthFeet))
	// across is the distance from the line times the length of (dx, dy).
	return 4*across*across <= width*width*(dx*dx+dy*dy)
}
