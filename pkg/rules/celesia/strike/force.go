package strike

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules/celesia/answers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/manners"
	"github.com/skaldrpg/skald/pkg/rules/grid"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// threatFeet is the nearest and farthest at which a creature threatens.
func threatFeet(c *eventv1.Creature) (near, far int32) {
	near = 1 << 20
	for _, w := range body.SheetOf(c).Weapons {
		if manners.Strikes(c, w) && Wieldable(c, w) {
			n, f := body.Span(c, w)
			near, far = min(near, n), max(far, f)
		}
	}
	if far == 0 {
		return 0, body.NaturalReach(c)
	}
	return near, far
}

// MostSpaces is how many spaces are offered when it is asked where a foe goes.
const MostSpaces = 64

// CheckReposition judges the way: free squares inside the threatened area; only
// the last may lie beside that area.
//
// celesia.maneuver.reposition
func CheckReposition(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	t := s.Creatures[body.Target(take)]
	if len(take.Path) == 0 || t == nil {
		return nil // readied: where the foe is by then is another matter
	}
	if c.Position == nil || t.Position == nil {
		return fault.Field("take.path", "nobody stands on the map")
	}
	at := t.Position
	for i, p := range take.Path {
		if grid.Steps(at, p) != grid.Square || body.OffSquares(at, p) {
			return fault.Field("take.path["+body.Itoa(i)+"]", "goes square by square")
		}
		if err := refusePushed(s, c, t, p, i == len(take.Path)-1); err != nil {
			return err
		}
		at = p
	}
	return nil
}

// refusePushed says why a foe cannot be pushed to a square, as the last of its way or
// as one on it.
func refusePushed(s *eventv1.State, c, t *eventv1.Creature, p *eventv1.Position, last bool) error {
	near, far := threatFeet(c)
	feet, _ := body.Distance(c, &eventv1.Creature{Size: t.Size, Position: p})
	switch {
	case body.Blocked(s, t, p, ""):
		return body.Refuse("OCCUPIED", answers.RuleReposition, "somebody stands there")
	case !last && (feet < near || feet > far), feet > far+grid.Square:
		return body.Refuse("OUT_OF_REACH", answers.RuleReposition, "the way leaves the area that %s threatens", c.Name)
	}
	return nil
}

// RefuseCornered refuses to reposition a foe that no square is free for.
//
// celesia.maneuver.reposition
func RefuseCornered(s *eventv1.State, c, t *eventv1.Creature) error {
	if c.GetPosition() == nil || t.GetPosition() == nil || len(Pushes(s, c, t, grid.Square)) > 0 {
		return nil
	}
	return body.Refuse("NO_SPACE", answers.RuleReposition, "there is no space that %s could be moved to", t.Name)
}

// Pushes are the ways by which a foe can be made to go so many feet at most on its
// own level, the shortest first; at most MostSpaces of them, each to another space.
//
// celesia.maneuver.reposition
func Pushes(s *eventv1.State, c, t *eventv1.Creature, feet int32) [][]*eventv1.Position {
	type square struct{ x, y int32 }
	known := map[square]bool{{t.Position.X, t.Position.Y}: true}
	ways, ends := [][]*eventv1.Position{nil}, [][]*eventv1.Position(nil)
	for ; feet >= grid.Square && len(ends) < MostSpaces; feet -= grid.Square {
		var on [][]*eventv1.Position
		for _, way := range ways {
			from := t.Position
			if len(way) > 0 {
				from = way[len(way)-1]
			}
			for n := range int32(9) {
				to := &eventv1.Position{X: from.X + (n%3-1)*grid.Square, Y: from.Y + (n/3-1)*grid.Square, Z: from.Z}
				if known[square{to.X, to.Y}] || refusePushed(s, c, t, to, true) != nil {
					continue
				}
				known[square{to.X, to.Y}] = true
				longer := append(slices.Clone(way), to)
				ends = append(ends, longer)
				if refusePushed(s, c, t, to, false) == nil {
					on = append(on, longer)
				}
			}
		}
		ways = on
	}
	return ends[:min(len(ends), MostSpaces)]
}
