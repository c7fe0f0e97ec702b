package declaring

import (
	"github.com/skaldrpg/skald/pkg/limits"
	"github.com/skaldrpg/skald/pkg/rules/grid"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	"github.com/skaldrpg/skald/pkg/rules/spark/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// threat is an enemy that may answer a step out of its reach: as the places of the
// one who moves that lie within it, on the height where that one stands.
type threat struct {
	id         string
	from, upTo corner
	// here: the one who moves stands in its reach.
	here bool
}

type corner struct{ X, Y, Z int32 }

// threats are the enemies that may answer a move of a creature, as far as its
// surroundings show.
//
// spark.reaction.opportunity-attack, spark.reaction.one-per-round
func threats(at *play.At) []threat {
	c, g := at.Actor, GlanceOf(at)
	if g.weighed || c.Position == nil {
		return g.threats
	}
	g.weighed = true
	side, speed := body.SpaceFeet(c), body.SpeedOf(c)
	for _, id := range g.others() {
		e := at.State.Creatures[id]
		if e.Position == nil || !body.Hostile(e, c) || !mayAnswer(at, e) {
			continue
		}
		feet := body.DistanceAt(e.Position, e, c.Position, c)
		reach := ReachOf(at.State, e)
		if reach < 1 || feet > reach+speed {
			continue
		}
		t, theirs := threat{id: id, here: feet <= reach}, body.SpaceFeet(e)
		t.from.X, t.upTo.X = span(e.Position.X, theirs, side, reach)
		t.from.Y, t.upTo.Y = span(e.Position.Y, theirs, side, reach)
		t.from.Z, t.upTo.Z = span(e.Position.Z, theirs, side, reach)
		if c.Position.Z >= t.from.Z && c.Position.Z <= t.upTo.Z {
			g.threats = append(g.threats, t)
		}
	}
	return g.threats
}

// mayAnswer tells whether an enemy has a reaction left for a step out of its reach.
//
// spark.reaction.one-per-round
func mayAnswer(at *play.At, e *eventv1.Creature) bool {
	if at.Content == nil {
		return e.Counters[body.CReaction] > 0
	}
	return e.Counters[body.CReaction] >= int64(Price(at.Content, at.State, e, body.DecOpportunity, body.CReaction))
}

// span is where, along one axis, a space of so many feet is in the reach of another:
// grid.Distance turned round.
func span(at, theirs, side, reach int32) (from, upTo int32) {
	return at - side + min(1, grid.Square-reach), at + theirs + max(-1, reach-grid.Square)
}

// provokes are the enemies in whose reach a creature begins its move.
func provokes(at *play.At) []string {
	var ids []string
	foes := threats(at)
	for i := range foes {
		if foes[i].here {
			ids = append(ids, foes[i].id)
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
	rings := Farthest(at.State, at.Actor) / grid.Square
	if from == nil || rings < 1 {
		return nil, false
	}
	n := (2*rings + 1) * (2*rings + 1)
	if n-1 > limits.OptionSquares {
		n, cut = limits.OptionSquares+1, true
	}
	foes, named := threats(at), map[uint][]string{}
	if at.Content != nil {
		if _, none := house.NoProvoke(at.Content, at.State, at.Actor, at.Action.ID); none {
			foes = nil
		}
	}
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
	for i := range foes {
		if foes[i].left(c, to) {
			set |= 1 << i
		}
	}
	if set == 0 {
		return nil
	}
	if named[set] == nil {
		for i := range foes {
			if set&(1<<i) != 0 {
				named[set] = append(named[set], foes[i].id)
			}
		}
	}
	return named[set]
}

// left tells whether a straight way of a creature leaves the reach of a threat. A
// reach has no hollows: from within it a way leaves it if it ends outside, and one
// that ends within does not.
func (t *threat) left(c *eventv1.Creature, to *eventv1.Position) bool {
	p := c.Position
	switch {
	case t.Within(to.X, to.Y):
		return false
	case t.here:
		return true
	case max(p.X, to.X) < t.from.X, min(p.X, to.X) > t.upTo.X, max(p.Y, to.Y) < t.from.Y, min(p.Y, to.Y) > t.upTo.Y:
		return false
	}
	n := grid.Steps(p, to) / grid.Square
	for k := int32(1); k < n; k++ {
		if t.Within(p.X+(to.X-p.X)*k/n, p.Y+(to.Y-p.Y)*k/n) {
			return true
		}
	}
	return false
}

func (t *threat) Within(x, y int32) bool {
	return x >= t.from.X && x <= t.upTo.X && y >= t.from.Y && y <= t.upTo.Y
}
