package movement

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	"github.com/skaldrpg/skald/pkg/rules/basic/holds"
	"github.com/skaldrpg/skald/pkg/rules/grid"
	"github.com/skaldrpg/skald/pkg/rules/play"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

const (
	// gridFeet is how far the squares are apart that are listed, in feet.
	gridFeet = 5
	// MostSquares is how many are listed, the nearest first.
	MostSquares = 200
)

// squares are those that a straight way can end at, and whom it turns its back to.
//
// basic.movement.split, basic.attack.parting-shot
func squares(at *play.At) ([]*eventv1.Square, bool) { return reachable(at, holds.TurnedFrom(at)) }

// safeSquares are those of a move that turns its back to nobody.
//
// basic.movement.fighting-withdrawal
func safeSquares(at *play.At) ([]*eventv1.Square, bool) { return reachable(at, nil) }

// reachable lists the squares within the movement left, ring by ring.
func reachable(at *play.At, foes []*eventv1.Creature) ([]*eventv1.Square, bool) {
	from, rings := at.Actor.Position, min(holds.Farthest(at)/gridFeet, MostSquares) // in a corner of the map 14 are that many
	if from == nil || rings < 1 {
		return nil, false
	}
	n := min(int((2*rings+1)*(2*rings+1))-1, MostSquares)
	points, list, out := make([]eventv1.Position, n), make([]eventv1.Square, n), make([]*eventv1.Square, 0, n)
	left := &struck{from: from, foes: foes}
	for ring := int32(1); ring <= rings; ring++ {
		for dy := -ring; dy <= ring; dy++ {
			step := 2 * ring // the sides of the ring
			if dy == -ring || dy == ring {
				step = 1 // its ends
			}
			for dx := -ring; dx <= ring; dx += step {
				i := len(out)
				if i == n {
					return out, true
				}
				x, y := from.X+dx*gridFeet, from.Y+dy*gridFeet
				if max(x, -x, y, -y) > rules.MaxCoordinate {
					continue
				}
				to, sq := &points[i], &list[i]
				to.X, to.Y, to.Z = x, y, from.Z
				sq.At, sq.Feet, sq.Provokes = to, ring*gridFeet, left.behind(to)
				out = append(out, sq)
			}
		}
	}
	return out, false
}

// struck lists who is left behind, square by square; squares that leave the same foes
// behind share one list.
type struck struct {
	from  *eventv1.Position
	foes  []*eventv1.Creature
	now   []string
	lists [][]string
}

// behind are the foes whose 5 feet a straight way leaves; the list must not be
// changed.
func (l *struck) behind(to *eventv1.Position) []string {
	l.now = l.now[:0]
	for _, e := range l.foes {
		if leavesBehind(l.from, to, e.Position) {
			l.now = append(l.now, e.Id)
		}
	}
	if len(l.now) == 0 {
		return nil
	}
	for _, list := range l.lists {
		if slices.Equal(list, l.now) {
			return list
		}
	}
	l.lists = append(l.lists, slices.Clone(l.now))
	return l.lists[len(l.lists)-1]
}

// leavesBehind tells whether a straight way leaves the 5 feet round somebody.
//
// basic.movement.engaged
func leavesBehind(from, to, foe *eventv1.Position) bool {
	if beside(from.X, to.X, foe.X) || beside(from.Y, to.Y, foe.Y) || beside(from.Z, to.Z, foe.Z) || grid.Steps(to, foe) <= body.EngagedFeet {
		return false
	}
	if grid.Steps(from, foe) <= body.EngagedFeet {
		return true
	}
	var p eventv1.Position
	for k, n := int32(1), grid.Steps(from, to); k < n; k++ { // as steps goes, foot by foot
		p.X, p.Y, p.Z = from.X+(to.X-from.X)*k/n, from.Y+(to.Y-from.Y)*k/n, from.Z+(to.Z-from.Z)*k/n
		if grid.Steps(&p, foe) <= body.EngagedFeet {
			return true
		}
	}
	return false
}

// beside tells whether a stretch of an axis stays clear of somebody's 5 feet.
func beside(from, to, foe int32) bool {
	return max(from, to) < foe-body.EngagedFeet || min(from, to) > foe+body.EngagedFeet
}
