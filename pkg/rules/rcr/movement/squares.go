package movement

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/limits"
	"github.com/skaldrpg/skald/pkg/rules/grid"
	"github.com/skaldrpg/skald/pkg/rules/rcr/answers"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/dice"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// farthest ring of squares that is looked at: within it lie more than are listed.
const farthest = 12

// Squares are the places that a creature can end its movement at by the straight
// way, by the usual mode, nearest first, and whether there are more than are listed.
// Nothing without positions. The straight way to a place begins with that to the
// place before it, so that each is judged once.
//
// rcr.base.movement-cost-additive, rcr.opportunity.enter-space
func Squares(s *eventv1.State, c *eventv1.Creature, crawling bool) (out []*eventv1.Square, cut bool) {
	if c.Position == nil {
		return nil, false
	}
	mode := usualMode(s, c, crawling)
	g := ground{c: c, foot: 1 + answers.Surcharge(s, c, mode, crawling), left: MovementLeft(s, c, mode), reined: body.UnderRein(s, c) != nil, bodies: bodies(s, c)}
	for _, o := range g.bodies {
		if feared(s, c, o.Id) {
			g.feared = append(g.feared, o.Id)
		}
	}
	rings := g.left / g.foot / 5
	g.rings = min(rings, farthest)
	side := 2*g.rings + 1
	g.cost = make([]int32, side*side)
	most := min(side*side-1, limits.OptionSquares)
	places, list := make([]eventv1.Position, most), make([]eventv1.Square, most) // two pieces of memory, not two for each
	out = make([]*eventv1.Square, 0, most)
	for ring := int32(1); ring <= g.rings; ring++ {
		for x := -ring; x <= ring; x++ {
			for y := -ring; y <= ring; y += step(x, ring) {
				cost, ends := g.step(x, y)
				n := len(out)
				switch {
				case !ends || cost > g.left:
				case n == int(most):
					return out, true
				default:
					places[n].X, places[n].Y, places[n].Z = c.Position.X+5*x, c.Position.Y+5*y, c.Position.Z
					list[n].At, list[n].Feet = &places[n], cost
					out = append(out, &list[n])
				}
			}
		}
	}
	return out, rings > g.rings
}

// ground is what a creature finds about it.
type ground struct {
	c *eventv1.Creature
	// foot is what a foot of movement costs, left what there is to spend.
	foot, left int32
	// reined: a controlled mount, which may stop in another's space.
	reined bool
	bodies []*eventv1.Creature
	feared []string
	rings  int32
	// cost of the straight way to each square; below 0 where it does not lead.
	cost []int32
}

func (g *ground) at(x, y int32) *int32 {
	return &g.cost[(x+g.rings)*(2*g.rings+1)+y+g.rings]
}

// step works out the cost of a square from that of the one before it, and tells
// whether the creature can end there.
func (g *ground) step(x, y int32) (cost int32, ends bool) {
	px, py := x, y
	if dice.Abs(x) >= dice.Abs(y) {
		px -= grid.Sign(x)
	}
	if dice.Abs(y) >= dice.Abs(x) {
		py -= grid.Sign(y)
	}
	here := g.at(x, y)
	*here = -1
	before := *g.at(px, py)
	if before < 0 {
		return -1, false
	}
	cost, ends = before+5*g.foot, true
	was := eventv1.Position{X: g.c.Position.X + 5*px, Y: g.c.Position.Y + 5*py, Z: g.c.Position.Z}
	will := eventv1.Position{X: g.c.Position.X + 5*x, Y: g.c.Position.Y + 5*y, Z: g.c.Position.Z}
	for _, o := range g.bodies {
		after := grid.Distance(&will, body.SpaceFeet(g.c), o.Position, body.SpaceFeet(o))
		switch {
		case slices.Contains(g.feared, o.Id) && after < grid.Distance(&was, body.SpaceFeet(g.c), o.Position, body.SpaceFeet(o)):
			return -1, false
		case after == 0 && !g.reined && !mayPass(g.c, o):
			return -1, false
		case after == 0 && ends:
			cost, ends = cost+5, false // another's space is difficult ground
		}
	}
	*here = cost
	return cost, ends
}

// step goes along the edge of a ring of squares: every place of its first and last
// column, the first and last place of the others.
func step(x, ring int32) int32 {
	if x == -ring || x == ring {
		return 1
	}
	return 2 * ring
}

// bodies are those in whose space a creature cannot end: all on the field but the
// dead, and those who hide, so that nobody finds them by trying.
func bodies(s *eventv1.State, c *eventv1.Creature) (out []*eventv1.Creature) {
	// order-free: only whether one of them is in the way is asked
	for id, o := range s.Creatures {
		if id != c.Id && o.Position != nil && !body.Dead(o) && !body.Has(o, body.CondHidden) && body.Seat(o) == nil {
			out = append(out, o)
		}
	}
	return out
}
