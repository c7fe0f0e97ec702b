package movement

import (
	"github.com/skaldrpg/skald/pkg/limits"
	"github.com/skaldrpg/skald/pkg/rules/celesia/answers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/maneuvers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	"github.com/skaldrpg/skald/pkg/rules/play"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// farthest is how many squares away an option looks at most.
const farthest = 32

// ground is what is round a creature, square by square: where it cannot end, and
// where a foe stands in its way.
type ground struct {
	reach      int32 // in squares
	full, foes [(2*farthest + 1) * (2*farthest + 1)]bool
	anyFoe     bool
}

func (f *ground) index(i, j int32) int32 { return (j+f.reach)*(2*f.reach+1) + i + f.reach }

// Reachable is a move of so many feet at most in a straight way, through the space of
// no foe.
//
// celesia.movement.move, celesia.movement.step, celesia.movement.crawl, celesia.movement.run
func Reachable(feet func(c *eventv1.Creature) int32) func(*play.At) ([]*eventv1.Square, bool) {
	return func(at *play.At) ([]*eventv1.Square, bool) {
		c := at.Actor
		if c.Position == nil {
			return nil, false
		}
		most := feet(c) / 5
		f := &ground{reach: max(0, min(farthest, most))}
		f.mark(at.State, c)
		return f.list(c, most > farthest)
	}
}

// mark notes who stands where.
func (f *ground) mark(s *eventv1.State, c *eventv1.Creature) {
	side, held := body.Footprint(&eventv1.Creature{Size: c.Size}), answers.Holds(c)
	here := c.Position
	// order-free: squares are marked, whoever does it
	for id, other := range s.Creatures {
		at := other.Position
		if id == c.Id || id == held || at == nil || body.Dead(other) {
			continue
		}
		room := body.Footprint(other)
		if at.Z >= here.Z+side || here.Z >= at.Z+room {
			continue
		}
		foe := other.Side != c.Side && !strike.Helpless(other) && !answers.Overlaps(c, here, other)
		for j := max(-f.reach, steps(at.Y-here.Y-side)+1); j <= f.reach && here.Y+5*j < at.Y+room; j++ {
			for i := max(-f.reach, steps(at.X-here.X-side)+1); i <= f.reach && here.X+5*i < at.X+room; i++ {
				n := f.index(i, j)
				f.full[n] = true
				f.foes[n] = f.foes[n] || foe
				f.anyFoe = f.anyFoe || foe
			}
		}
	}
}

// steps is how many whole squares so many feet are, rounded down.
func steps(feet int32) int32 {
	if feet < 0 {
		return -((-feet + 4) / 5)
	}
	return feet / 5
}

// list lists where the creature can end, the nearest first.
func (f *ground) list(c *eventv1.Creature, cut bool) ([]*eventv1.Square, bool) {
	room := min(limits.OptionSquares, (2*f.reach+1)*(2*f.reach+1)-1)
	squares, points := make([]eventv1.Square, room), make([]eventv1.Position, room)
	out := make([]*eventv1.Square, 0, room)
	for ring := int32(1); ring <= f.reach; ring++ {
		for j := -ring; j <= ring; j++ {
			step := 2 * ring
			if j == -ring || j == ring {
				step = 1
			}
			for i := -ring; i <= ring; i += step {
				if f.full[f.index(i, j)] || f.anyFoe && f.crosses(i, j, ring) {
					continue
				}
				n := int32(len(out))
				if n == room {
					return out, true
				}
				points[n].X, points[n].Y, points[n].Z = c.Position.X+5*i, c.Position.Y+5*j, c.Position.Z
				squares[n].At, squares[n].Feet = &points[n], 5*ring
				out = append(out, &squares[n])
			}
		}
	}
	return out, cut
}

// crosses tells whether the straight way to a square leads through a foe.
func (f *ground) crosses(i, j, ring int32) bool {
	for k := int32(1); k <= ring; k++ {
		if f.foes[f.index(maneuvers.Along(0, 5*i, k, ring)/5, maneuvers.Along(0, 5*j, k, ring)/5)] {
			return true
		}
	}
	return false
}
