package spark

import (
	"math/bits"

	"github.com/skaldrpg/skald/pkg/limits"
	"github.com/skaldrpg/skald/pkg/rules/grid"
	"github.com/skaldrpg/skald/pkg/rules/play"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// threat is an enemy that may answer a step out of its reach.
type threat struct {
	id    string
	by    *eventv1.Creature
	reach int32
	// here: the one who moves stands in its reach.
	here bool
}

// threats are the enemies that may answer a move of a creature, as far as its
// surroundings show.
//
// spark.reaction.opportunity-attack, spark.reaction.one-per-round
func threats(at *play.At) []threat {
	var list []threat
	for _, id := range glanceOf(at).others() {
		e := at.State.Creatures[id]
		feet, known := distance(e, at.Actor)
		if !known || !hostile(e, at.Actor) || e.Counters[cReaction] < 1 || len(list) == bits.UintSize {
			continue
		}
		if reach := reachOf(at.State, e); reach > 0 && feet <= reach+speedOf(at.Actor) {
			list = append(list, threat{id, e, reach, feet <= reach})
		}
	}
	return list
}

// provokes are the enemies in whose reach a creature begins its move.
func provokes(at *play.At) []string {
	var ids []string
	for _, t := range threats(at) {
		if t.here {
			ids = append(ids, t.id)
		}
	}
	return ids
}

// squares are the points that a straight way leads to, the nearest first, and cut
// where there are more than limits.OptionSquares.
//
// spark.action.move, spark.condition.prone
func squares(at *play.At) (list []*eventv1.Square, cut bool) {
	from := at.Actor.Position
	rings := farthest(at.State, at.Actor) / grid.Square
	if from == nil || rings < 1 {
		return nil, false
	}
	n := (2*rings + 1) * (2*rings + 1)
	if n-1 > limits.OptionSquares {
		n, cut = limits.OptionSquares+1, true
	}
	foes, named := threats(at), map[uint][]string{}
	squares, points := make([]eventv1.Square, n-1), make([]eventv1.Position, n-1)
	list = make([]*eventv1.Square, 0, n-1)
	for ring := int32(1); ring <= rings; ring++ {
		for x := -ring; x <= ring; x++ {
			step := 2 * ring // within the ring nothing but its two ends
			if x == -ring || x == ring {
				step = 1
			}
			for y := -ring; y <= ring && len(list) < len(squares); y += step {
				sq, to := &squares[len(list)], &points[len(list)]
				to.X, to.Y, to.Z = from.X+x*grid.Square, from.Y+y*grid.Square, from.Z
				sq.At, sq.Feet, sq.Provokes = to, ring*grid.Square, provoked(at.Actor, to, foes, named)
				list = append(list, sq)
			}
		}
	}
	return list, cut
}

// provoked are the threats that a straight way leaves; named keeps what is the same
// for many squares.
func provoked(c *eventv1.Creature, to *eventv1.Position, foes []threat, named map[uint][]string) []string {
	set := uint(0)
	for i, t := range foes {
		if t.left(c, to) {
			set |= 1 << i
		}
	}
	if set == 0 {
		return nil
	}
	if named[set] == nil {
		for i, t := range foes {
			if set&(1<<i) != 0 {
				named[set] = append(named[set], t.id)
			}
		}
	}
	return named[set]
}

// left tells whether a straight way of a creature leaves the reach of a threat. A
// reach has no hollows: from within it a way leaves it if it ends outside, and one
// that ends within does not.
func (t threat) left(c *eventv1.Creature, to *eventv1.Position) bool {
	within := func(p *eventv1.Position) bool { return distanceAt(t.by.Position, t.by, p, c) <= t.reach }
	switch {
	case within(to):
		return false
	case t.here:
		return true
	}
	n, at := grid.Steps(c.Position, to)/grid.Square, eventv1.Position{Z: to.Z}
	for k := int32(1); k < n; k++ {
		at.X, at.Y = c.Position.X+(to.X-c.Position.X)*k/n, c.Position.Y+(to.Y-c.Position.Y)*k/n
		if within(&at) {
			return true
		}
	}
	return false
}
