package basic

import (
	"fmt"
	"strings"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/grid"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// measured is the distance between two creatures in feet, when both stand
// somewhere.
func measured(a, b *eventv1.Creature) (int32, bool) {
	if a.GetPosition() == nil || b.GetPosition() == nil {
		return 0, false
	}
	return grid.Steps(a.Position, b.Position), true
}

// distance is the stated distance or else the measured one.
func distance(a, b *eventv1.Creature, facts *structpb.Struct) (int32, bool) {
	if d, ok := spoken.Number(facts, "distance"); ok {
		return d, true
	}
	return measured(a, b)
}

// gap is the distance over which an attack goes: the stated one, or that to where
// the target stands or stood before the number that both act on, whichever is
// nearer. Whoever moves on a number is not out of reach of the others on it.
//
// basic.initiative.ties-simultaneous
func gap(s *eventv1.State, a, t *eventv1.Creature, facts *structpb.Struct) (int32, bool) {
	d, known := distance(a, t, facts)
	if _, stated := spoken.Number(facts, "distance"); stated || !known || s.GetCounters()[cTogether] == 0 {
		return d, known
	}
	if p := stoodAt(s, t); p != nil {
		d = min(d, grid.Steps(a.Position, p))
	}
	return d, true
}

// stoodAt is where a creature stood before it moved on the present number, on which
// others act as well; nil when it did not.
//
// basic.initiative.ties-simultaneous
func stoodAt(s *eventv1.State, c *eventv1.Creature) *eventv1.Position {
	at, ok := strings.CutPrefix(c.GetMarks()[mStood], numberKey(s)+" ")
	var p eventv1.Position
	if n, err := fmt.Sscan(at, &p.X, &p.Y, &p.Z); !ok || n != 3 || err != nil || s.GetCounters()[cTogether] == 0 {
		return nil
	}
	return &p
}

// stood remembers where a creature stood before it moved on the present number.
func stood(r *rules.Resolution, id string) {
	c := r.Creature(id)
	if p, key := c.GetPosition(), numberKey(r.State()); p != nil && !strings.HasPrefix(c.Marks[mStood], key+" ") {
		r.Mark(id, mStood, key+" "+itoa(p.X)+" "+itoa(p.Y)+" "+itoa(p.Z), cite.InitiativeTiesSimultaneous)
	}
}

// engaged tells whether two opponents are within 5 feet of each other.
//
// basic.movement.engaged
func engaged(a, b *eventv1.Creature) bool {
	d, ok := measured(a, b)
	return ok && d <= engagedFeet && opposed(a, b)
}

// engagedWith lists the opponents that stand within 5 feet and can fight.
func engagedWith(s *eventv1.State, c *eventv1.Creature) []string {
	var out []string
	for _, id := range living(s) {
		if o := s.Creatures[id]; id != c.Id && up(o) && engaged(c, o) {
			out = append(out, id)
		}
	}
	return out
}

// flanking tells whether the attacker and an ally who can fight stand within 5
// feet of the target on opposite sides of it. Reading: opposite is point
// symmetric, to the foot on a grid of 5 feet.
//
// basic.attack.flanking
func flanking(s *eventv1.State, attacker, target *eventv1.Creature) bool {
	if d, ok := measured(attacker, target); !ok || d > engagedFeet || d == 0 {
		return false
	}
	p, q := attacker.Position, target.Position
	across := &eventv1.Position{X: 2*q.X - p.X, Y: 2*q.Y - p.Y, Z: 2*q.Z - p.Z}
	for _, id := range living(s) {
		o := s.Creatures[id]
		if id != attacker.Id && o.Side == attacker.Side && able(o) && o.Position != nil &&
			grid.Steps(o.Position, across) <= 2 && grid.Steps(o.Position, q) <= engagedFeet {
			return true
		}
	}
	return false
}

// steps lists the points of a way foot by foot, the start first.
func steps(from *eventv1.Position, path []*eventv1.Position) []*eventv1.Position {
	points := []*eventv1.Position{from}
	for _, to := range path {
		at := points[len(points)-1]
		n := grid.Steps(at, to)
		for k := int32(1); k <= n; k++ {
			points = append(points, &eventv1.Position{X: at.X + (to.X-at.X)*k/n, Y: at.Y + (to.Y-at.Y)*k/n, Z: at.Z + (to.Z-at.Z)*k/n})
		}
	}
	return points
}

// length is the length of a way in feet; it stops counting beyond the limit.
func length(from *eventv1.Position, path []*eventv1.Position, limit int32) int32 {
	feet, at := int32(0), from
	for _, to := range path {
		if feet += grid.Steps(at, to); feet > limit || feet < 0 {
			return limit + 1
		}
		at = to
	}
	return feet
}

// alliesNear lists the creatures on the side of the shooter that could be in the way of
// a shot into the fight round the target.
func alliesNear(s *eventv1.State, shooter, target *eventv1.Creature) []string {
	var out []string
	for _, id := range living(s) {
		o := s.Creatures[id]
		if id != shooter.Id && id != target.Id && o.Side == shooter.Side && engaged(o, target) {
			out = append(out, id)
		}
	}
	return out
}
