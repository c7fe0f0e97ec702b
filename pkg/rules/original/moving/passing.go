package moving

import (
	"math/big"

	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	"github.com/skaldrpg/skald/pkg/rules/original/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// comesNear tells whether a way from a place comes within 10 feet of another,
// anywhere on it.
//
// original.movement.retreat-passersby, original.movement.through-line
func comesNear(from *eventv1.Position, way []*eventv1.Position, p *eventv1.Position) bool {
	for _, to := range way {
		if NearSegment(from, to, p) {
			return true
		}
		from = to
	}
	return false
}

// NearSegment tells whether a point lies within 10 feet of the line between two
// others.
func NearSegment(a, b, p *eventv1.Position) bool {
	if body.FeetBetween(a, p) <= body.MeleeFeet || body.FeetBetween(b, p) <= body.MeleeFeet {
		return true
	}
	line, at := between(a, b), between(a, p)
	length, along := dot(line, line), dot(line, at)
	if along.Sign() <= 0 || along.Cmp(length) >= 0 {
		return false // beyond one of the ends
	}
	// The square of the distance is |at|² - along²/length; both sides times length.
	gap := new(big.Int).Mul(dot(at, at), length)
	gap.Sub(gap, new(big.Int).Mul(along, along))
	return gap.Cmp(new(big.Int).Mul(big.NewInt(body.MeleeFeet*body.MeleeFeet), length)) <= 0
}

func between(a, b *eventv1.Position) [3]int64 {
	return [3]int64{int64(b.X) - int64(a.X), int64(b.Y) - int64(a.Y), int64(b.Z) - int64(a.Z)}
}

// dot is the scalar product; places may be so far apart that it needs more than
// 64 bits.
func dot(a, b [3]int64) *big.Int {
	sum := new(big.Int)
	for i := range a {
		sum.Add(sum, new(big.Int).Mul(big.NewInt(a[i]), big.NewInt(b[i])))
	}
	return sum
}

// Passed tells whether a way leads past a foe who was named: always where no place is
// known, and never past one behind an obstacle.
//
// original.movement.through-line
func Passed(c, foe *eventv1.Creature, way []*eventv1.Position) bool {
	if body.Apart(c, foe) {
		return false
	}
	return len(way) == 0 || foe.Position == nil || comesNear(c.Position, way, foe.Position)
}

// LeftBehind lists the foes with nobody else to fight whom a way comes near and
// leaves again: to go past them is to go through their line.
//
// original.movement.through-line, original.movement.engaged-restricts
func LeftBehind(s *eventv1.State, c *eventv1.Creature, way []*eventv1.Position) []string {
	if len(way) == 0 {
		return nil
	}
	var ids []string
	for _, id := range body.Foes(s, c) {
		t := s.Creatures[id]
		if t.Position != nil && !body.Apart(c, t) && idle(s, t) && comesNear(c.Position, way, t.Position) && body.FeetBetween(way[len(way)-1], t.Position) > body.MeleeFeet {
			ids = append(ids, id)
		}
	}
	return ids
}

// idle tells whether a creature could strike at one who passes: it is able to
// and in melee with nobody.
func idle(s *eventv1.State, c *eventv1.Creature) bool {
	return strike.Able(s, c) && !strike.Barred(s, c) && len(body.EngagedWith(s, c)) == 0
}

// passes refuses an ordinary way that leads through a line of foes.
//
// original.movement.engaged-restricts
func passes(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if ids := LeftBehind(s, c, take.Path); len(ids) > 0 {
		return body.Refuse("ENGAGED", cite.MovementEngagedRestricts, "%s comes into melee with %s on the way: go through the line or round it", c.Name, s.Creatures[ids[0]].Name)
	}
	return nil
}

// Falls tells whether a creature on its way gets no further: it was struck down,
// or off its feet.
//
// original.action.whip-outcome
func Falls(r *rules.Resolution, id string) bool {
	c := r.Creature(id)
	return !strike.Able(r.State(), c) || body.Has(c, body.CondProne)
}
