package answers

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/grid"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Rules of ropes, and of foes that are brought along.
const (
	RuleTieUp  = cite.ManeuverGrappleTieUp
	RuleHazard = cite.ManeuverGrappleMoveHazard
)

// VariantRopes is pinned by ropes, whoever tied them; the value "dc" is what it
// takes to win free.
const VariantRopes = "ropes"

// DecHazard is whether a foe tries to free itself before it is put in danger.
const DecHazard = "grapple-hazard"

// Ropes lists the ropes that a creature has in hand.
func Ropes(c *eventv1.Creature) []string {
	var out []string
	for _, th := range body.SheetOf(c).Things {
		if th.Kind == body.ThingRope && body.InHand(body.Where(c, th.Name)) {
			out = append(out, th.Name)
		}
	}
	return out
}

// Tied is what ropes hold a creature; nil when none do.
func Tied(c *eventv1.Creature) *eventv1.Condition {
	for _, x := range c.GetConditions() {
		if x.Name == body.CondPinned && x.Variant == VariantRopes {
			return x
		}
	}
	return nil
}

// RefuseUntie: somebody tied up and beside.
//
// celesia.maneuver.grapple-tie-up
func RefuseUntie(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	t := s.Creatures[body.Target(take)]
	if body.Has(c, body.CondPinned) {
		return body.Refuse("PINNED", cite.ManeuverPin, "%s is pinned", c.Name)
	}
	if t == nil {
		return nil
	}
	if Tied(t) == nil {
		return body.Refuse("NOT_TIED", RuleTieUp, "%s is not tied up", t.Name)
	}
	if feet, _ := body.Apart(take, c, t); feet > 5 {
		return body.OutOfReach(RuleTieUp, t, feet)
	}
	return nil
}

// DoUntie takes the ropes off the target.
func DoUntie(r *rules.Resolution, _ *eventv1.Creature, take *eventv1.TakeAction) error {
	r.RemoveCondition(body.Target(take), Tied(r.Creature(body.Target(take))), "the ropes are removed", RuleTieUp)
	return nil
}

// PlaceNamed is the space in which a foe in hold is to be put; nil when none is
// named.
func PlaceNamed(take *eventv1.TakeAction) *eventv1.Position {
	x, okX := spoken.Number(take.GetParameters(), "foe_x")
	y, okY := spoken.Number(take.GetParameters(), "foe_y")
	z, _ := spoken.Number(take.GetParameters(), "foe_z")
	if !okX || !okY {
		return nil
	}
	return &eventv1.Position{X: x, Y: y, Z: z}
}

// CheckPlace judges the space for a foe in hold: free, and beside the holder's
// end of the way.
//
// celesia.maneuver.grapple-move
func CheckPlace(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	at, foe := PlaceNamed(take), s.Creatures[Holds(c)]
	if at == nil || foe == nil || c.Position == nil {
		return nil
	}
	end := &eventv1.Creature{Id: c.Id, Size: c.Size, Position: c.Position}
	if n := len(take.Path); n > 0 {
		end.Position = take.Path[n-1]
	}
	if body.OffSquares(end.Position, at) {
		return fault.Field("take.parameters.foe_x", "the foe is put in a space that is whole squares of %d feet away", grid.Square)
	}
	there := &eventv1.Creature{Id: foe.Id, Size: foe.Size, Position: at}
	others := func(o *eventv1.Creature) bool {
		return o.Id != c.Id && o.Id != foe.Id && !body.Dead(o) && Overlaps(there, at, o)
	}
	taken := slices.ContainsFunc(rules.SortedKeys(s.Creatures), func(id string) bool { return others(s.Creatures[id]) })
	if feet, _ := body.Distance(end, there); feet != 5 || taken {
		return body.Refuse("NO_PLACE", cite.ManeuverGrappleMove, "the foe is put in a free space beside %s", c.Name)
	}
	return nil
}
