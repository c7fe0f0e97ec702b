package manners

import (
	"cmp"
	"slices"

	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/grid"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// fraction is a point on a line: a over b, b greater than 0.
type fraction struct{ a, b int64 }

func (f fraction) compare(g fraction) int { return cmp.Compare(f.a*g.b, g.a*f.b) }

func (f fraction) less(g fraction) bool { return f.compare(g) < 0 }

// Centre is the middle of a creature's space, in half feet.
func Centre(c *eventv1.Creature) [3]int64 {
	p, half := c.Position, int64(body.Footprint(c))
	return [3]int64{2*int64(p.X) + half, 2*int64(p.Y) + half, 2*int64(p.Z) + half}
}

// through is where a line from one point towards another enters and leaves the
// inside of a creature's space, in lengths of the way between the points. A line
// that only touches an edge or a corner does not enter (a reading).
//
// celesia.attack.stray-line
func through(from, towards [3]int64, c *eventv1.Creature) (enter, leave fraction, inside bool) {
	enter, leave = fraction{-1 << 30, 1}, fraction{1 << 30, 1}
	low := [3]int64{2 * int64(c.Position.X), 2 * int64(c.Position.Y), 2 * int64(c.Position.Z)}
	side := 2 * int64(body.Footprint(c))
	for axis := range 3 {
		d, near, far := towards[axis]-from[axis], low[axis]-from[axis], low[axis]+side-from[axis]
		switch {
		case d == 0:
			if near >= 0 || far <= 0 {
				return enter, leave, false
			}
			continue
		case d < 0:
			d, near, far = -d, -far, -near
		}
		if e := (fraction{near, d}); enter.less(e) {
			enter = e
		}
		if l := (fraction{far, d}); l.less(leave) {
			leave = l
		}
	}
	return enter, leave, enter.less(leave)
}

// StrayLimit is how far a missed shot flies, in feet from the shooter: to the
// end of the range increment that the target stands in, firearms four more, none
// beyond the weapon's maximum. Splash weapons do not stray.
//
// celesia.attack.stray-range, celesia.attack.stray-firearm
func StrayLimit(w *eventv1.CelesiaWeapon, feet int32) int32 {
	if w.Splash || w.RangeFeet < 1 {
		return 0
	}
	current := max(1, (feet+w.RangeFeet-1)/w.RangeFeet)
	if body.Firearm(w) {
		current = min(current+4, increments(w))
	}
	return current * w.RangeFeet
}

// InTheWay lists who stands beyond a target on the line of a shot, nearest to
// the target first. An obstacle that the caller states, in feet from the
// shooter, ends the line.
//
// celesia.attack.stray-line, celesia.attack.stray-resolution
func InTheWay(s *eventv1.State, take *eventv1.TakeAction, c, t *eventv1.Creature, limit int32) []string {
	from, towards := Centre(c), Centre(t)
	if wall, ok := spoken.Number(take.GetFacts(), "obstacle_feet"); ok {
		limit = min(limit, wall-1)
	}
	_, past, _ := through(from, towards, t)
	enters := map[string]fraction{}
	var ids []string
	for _, id := range rules.SortedKeys(s.Creatures) {
		other := s.Creatures[id]
		if body.Dead(other) || other.Position == nil {
			continue
		}
		enter, _, inside := through(from, towards, other)
		if feet, _ := body.Distance(c, other); !inside || enter.less(past) || feet > limit {
			continue
		}
		enters[id] = enter
		ids = append(ids, id)
	}
	slices.SortStableFunc(ids, func(a, b string) int {
		da, _ := body.Distance(t, s.Creatures[a])
		db, _ := body.Distance(t, s.Creatures[b])
		return cmp.Or(cmp.Compare(da, db), enters[a].compare(enters[b]))
	})
	return ids
}

// Beyond is the point so many feet from a creature in the direction of another.
func Beyond(c, t *eventv1.Creature, feet int32) *eventv1.Position {
	n := grid.Steps(c.Position, t.Position)
	if n == 0 {
		return t.Position
	}
	far := func(a, b int32) int32 { return a + (b-a)*feet/n/5*5 }
	return &eventv1.Position{X: far(c.Position.X, t.Position.X), Y: far(c.Position.Y, t.Position.Y), Z: far(c.Position.Z, t.Position.Z)}
}
