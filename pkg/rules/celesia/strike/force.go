package strike

import (
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

// CheckReposition judges the way: free squares inside the threatened area; only
// the last may lie beside that area.
//
// celesia.maneuver.reposition
func CheckReposition(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	t := s.Creatures[body.Target(take)]
	if len(take.Path) == 0 || t == nil {
		return nil
	}
	if c.Position == nil || t.Position == nil {
		return fault.Field("take.path", "nobody stands on the map")
	}
	near, far := threatFeet(c)
	at := t.Position
	for i, p := range take.Path {
		if grid.Steps(at, p) != 5 {
			return fault.Field("take.path", "goes square by square")
		}
		feet, _ := body.Distance(c, &eventv1.Creature{Size: t.Size, Position: p})
		last := i == len(take.Path)-1
		switch {
		case body.Blocked(s, t, p, ""):
			return body.Refuse("OCCUPIED", answers.RuleReposition, "somebody stands there")
		case !last && (feet < near || feet > far), last && feet > far+5:
			return body.Refuse("OUT_OF_REACH", answers.RuleReposition, "the way leaves the area that %s threatens", c.Name)
		}
		at = p
	}
	return nil
}
