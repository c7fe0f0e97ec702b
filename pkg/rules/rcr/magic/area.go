package magic

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	contentv1 "github.com/skaldrpg/skald/proto/skald/content/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// InArea are the targets of a spell with an area: those named, then everybody
// whose place is known and who stands in it. A sphere, a cylinder and a cube lie
// about the first target; a cone and a line begin at the caster and point at it.
// Spells without an area have the targets that are named.
//
// rcr.base.fifth-edition-fallback
func InArea(book *effects.Book, s *eventv1.State, c *eventv1.Creature, spell string, named []string) []string {
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
		if slices.Contains(out, id) || o.Position == nil || o.Staged || body.Dead(o) {
			continue
		}
		if covers(area, c, first, o) {
			out = append(out, id)
		}
	}
	return out
}

// covers tells whether a creature stands in an area.
func covers(area *contentv1.Area, caster, first, o *eventv1.Creature) bool {
	switch area.Shape {
	case "cone", "line":
		if o.Id == caster.Id || caster.Position == nil {
			return false
		}
		feet, _ := body.Distance(caster, o)
		return feet <= area.Feet && ahead(area, caster, first, o)
	case "cube":
		feet, _ := body.Distance(first, o)
		return 2*feet <= area.Feet
	}
	feet, _ := body.Distance(first, o)
	return feet <= area.Feet
}

// ahead tells whether the middle of a creature lies in a cone that is as wide as
// it is long, or within a line, from the caster to the first target. Points are
// counted in half feet on the ground, so that middles are whole numbers.
func ahead(area *contentv1.Area, caster, first, o *eventv1.Creature) bool {
	x, y := middle(caster)
	tx, ty := middle(first)
	ox, oy := middle(o)
	dx, dy, vx, vy := tx-x, ty-y, ox-x, oy-y
	along, across := dx*vx+dy*vy, dx*vy-dy*vx
	if along <= 0 {
		return false
	}
	if area.Shape == "cone" {
		return 2*max(across, -across) <= along
	}
	width := int64(area.WidthFeet)
	if width == 0 {
		width = 5
	}
	// across is the distance from the line times the length of (dx, dy); in half
	// feet half the width is the width.
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
func middle(c *eventv1.Creature) (x, y int64) {
	s := int64(body.SpaceFeet(c))
	return 2*int64(c.Position.X) + s, 2*int64(c.Position.Y) + s
}
