package body

import (
	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/grid"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"google.golang.org/protobuf/types/known/structpb"
)

// Measured is the distance between two creatures in feet, when both stand
// somewhere; 0 when not.
func Measured(a, b *eventv1.Creature) (int32, bool) {
	if a.GetPosition() == nil || b.GetPosition() == nil {
		return 0, false
	}
	return grid.Steps(a.Position, b.Position), true
}

// Distance is the stated distance or else the measured one; 0 when there is neither.
func Distance(a, b *eventv1.Creature, facts *structpb.Struct) (int32, bool) {
	if d, ok := spoken.Number(facts, "distance"); ok {
		return d, true
	}
	return Measured(a, b)
}

// Gap is the distance over which an attack goes: the stated one, or that to where
// the target stands or stood before the number that both act on, whichever is
// nearer; 0 when nobody knows it. Whoever moves on a number is not out of reach of the
// others on it.
//
// basic.initiative.ties-simultaneous
func Gap(s *eventv1.State, a, t *eventv1.Creature, facts *structpb.Struct) (int32, bool) {
	d, known := Distance(a, t, facts)
	if _, stated := spoken.Number(facts, "distance"); stated || !known || s.GetCounters()[CTogether] == 0 {
		return d, known
	}
	if p := StoodAt(s, t); p != nil {
		d = min(d, grid.Steps(a.Position, p))
	}
	return d, true
}

// StoodAt is where a creature stood before it moved on the present number, on which
// others act as well; nil when it did not.
//
// basic.initiative.ties-simultaneous
func StoodAt(s *eventv1.State, c *eventv1.Creature) *eventv1.Position {
	if s.GetCounters()[CTogether] == 0 || !movedOnNumber(s, c) {
		return nil
	}
	v := rules.BegunOf(c, BMoving).Values
	return &eventv1.Position{X: v["x"], Y: v["y"], Z: v["z"]}
}

// movedOnNumber tells whether a creature moved on the number that the count stands at.
func movedOnNumber(s *eventv1.State, c *eventv1.Creature) bool {
	b := rules.BegunOf(c, BMoving)
	return b != nil && b.Round == s.Round && int64(b.Values["number"]) == s.Counters[CCount]
}

// Stood remembers where a creature on the map stood before it moved on the present
// number.
func Stood(r *rules.Resolution, id string) {
	const rule = cite.InitiativeTiesSimultaneous
	c, s := r.Creature(id), r.State()
	if p := c.Position; !movedOnNumber(s, c) {
		r.Begin(id, &eventv1.Begun{Kind: BMoving, Round: s.Round, Rule: rule,
			Values: map[string]int32{"number": int32(s.Counters[CCount]), "x": p.X, "y": p.Y, "z": p.Z}}, rule)
	}
}

// engaged tells whether two opponents are within 5 feet of each other.
//
// basic.movement.engaged
func engaged(a, b *eventv1.Creature) bool {
	d, ok := Measured(a, b)
	return ok && d <= EngagedFeet && Opposed(a, b)
}

// EngagedWith lists the opponents that stand within 5 feet and can fight.
func EngagedWith(s *eventv1.State, c *eventv1.Creature) []string {
	return Those(s, func(o *eventv1.Creature) bool { return o.Id != c.Id && Up(o) && engaged(c, o) })
}

// Flanking tells whether the attacker and an ally who can fight stand within 5
// feet of the target on opposite sides of it. Reading: opposite is point
// symmetric, to the foot on a grid of 5 feet.
//
// basic.attack.flanking
func Flanking(s *eventv1.State, attacker, target *eventv1.Creature) bool {
	if d, ok := Measured(attacker, target); !ok || d > EngagedFeet || d == 0 {
		return false
	}
	p, q := attacker.Position, target.Position
	across := &eventv1.Position{X: 2*q.X - p.X, Y: 2*q.Y - p.Y, Z: 2*q.Z - p.Z}
	for _, id := range Living(s) {
		o := s.Creatures[id]
		if id != attacker.Id && o.Side == attacker.Side && Able(o) && o.Position != nil &&
			grid.Steps(o.Position, across) <= 2 && grid.Steps(o.Position, q) <= EngagedFeet {
			return true
		}
	}
	return false
}

// Steps lists the points of a way foot by foot, the start first.
func Steps(from *eventv1.Position, path []*eventv1.Position) []*eventv1.Position {
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

// Length is the length of a way in feet; it stops counting beyond the limit.
func Length(from *eventv1.Position, path []*eventv1.Position, limit int32) int32 {
	feet, at := int32(0), from
	for _, to := range path {
		if feet += grid.Steps(at, to); feet > limit {
			return limit + 1
		}
		at = to
	}
	return feet
}

// InMeleeWith lists the living opponents of a creature that stand within 5 feet of it: a
// shot at it that misses may strike those of them who are on the side of the shooter.
//
// basic.attack.missile-into-melee
func InMeleeWith(s *eventv1.State, target *eventv1.Creature) []string {
	return Those(s, func(o *eventv1.Creature) bool { return engaged(o, target) })
}
