package movement

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/grid"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/dice"
	thestrike "github.com/skaldrpg/skald/pkg/rules/rcr/strike"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Dragged reads whom a movement drags along: the parameter drag.
func Dragged(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) ([]string, error) {
	out, _ := spoken.Words(take.Parameters, "drag")
	held := body.Grappling(s, c)
	for i, id := range out {
		if !slices.Contains(held, id) || slices.Contains(out[:i], id) {
			return nil, fault.Field("take.parameters.drag", "%s does not hold %q, or it is named twice", c.Name, id)
		}
	}
	return out, nil
}

// Burden is by how much those dragged along multiply the cost of movement: the
// speed is halved, as in the fifth edition, unless all of them are two sizes or
// more smaller.
func Burden(s *eventv1.State, c *eventv1.Creature, ids []string) int32 {
	for _, id := range ids {
		if slices.Index(thestrike.Sizes, s.Creatures[id].Size)+2 > slices.Index(thestrike.Sizes, c.Size) {
			return 2
		}
	}
	return 1
}

// RefuseDrag says why creatures cannot be dragged along a way: where the mover
// stood before its last step there must be room for each of them. Without
// positions nothing is in the way.
func (k *Walk) RefuseDrag(s *eventv1.State) error {
	last := k.Way.Legs[len(k.Way.Legs)-1].to
	if last == nil {
		return nil
	}
	for _, id := range k.Drags {
		e := s.Creatures[id]
		if e.Position != nil && k.trail(s, e, last) == nil {
			return body.Refuse("NO_ROOM", cite.BaseFifthEditionFallback, "there is no room to drag %s along", e.Name)
		}
	}
	return nil
}

// trail is where a dragged creature ends up when the mover stops: in the place
// free and within reach that is nearest to where it came from; nil for none.
func (k *Walk) trail(s *eventv1.State, e *eventv1.Creature, end *eventv1.Position) *eventv1.Position {
	c := s.Creatures[k.id]
	var best *eventv1.Position
	nearest := int32(0)
	reach := body.SpaceFeet(e)
	for x := end.X - reach; x <= end.X+body.SpaceFeet(c); x += 5 {
		for y := end.Y - reach; y <= end.Y+body.SpaceFeet(c); y += 5 {
			at := &eventv1.Position{X: x, Y: y, Z: end.Z}
			if grid.Distance(at, body.SpaceFeet(e), end, body.SpaceFeet(c)) != 5 || !k.free(s, e, at) {
				continue
			}
			// The straight way back counts before the corner.
			far := dice.Abs(x-e.Position.X)*dice.Abs(x-e.Position.X) + dice.Abs(y-e.Position.Y)*dice.Abs(y-e.Position.Y)
			if best == nil || far < nearest {
				best, nearest = at, far
			}
		}
	}
	return best
}

// free tells whether nobody but the mover and those dragged with it stands
// where a dragged creature would.
func (k *Walk) free(s *eventv1.State, e *eventv1.Creature, at *eventv1.Position) bool {
	for _, id := range rules.SortedKeys(s.Creatures) {
		o := s.Creatures[id]
		if id == e.Id || id == k.id || o.Position == nil || body.Dead(o) || body.Has(o, body.CondHidden) || body.Seat(o) != nil {
			continue
		}
		if grid.Distance(at, body.SpaceFeet(e), o.Position, body.SpaceFeet(o)) == 0 {
			return false
		}
	}
	return true
}

// lift notes that one who is dragged along hangs from a flyer.
//
// rcr.flight.fall-uncontrolled
func (k *Walk) lift(id string) {
	if body.Flies(k.R.Creature(k.id)) && rules.RelationTo(k.R.Creature(id), body.RelAloft, k.id) == nil {
		k.R.Relate(id, &eventv1.Relation{Kind: body.RelAloft, To: k.id, Round: k.R.State().Round, Rule: cite.FlightFallUncontrolled}, cite.FlightFallUncontrolled)
	}
}

// Pull brings those dragged along to where the mover is now. They are moved by
// another: that provokes nothing and costs them nothing.
//
// rcr.base.opportunity-frame
func (k *Walk) Pull() {
	for _, id := range k.Drags {
		e, c := k.R.Creature(id), k.R.Creature(k.id)
		if body.GrappledBy(e, k.id) == nil {
			continue // it was let go on the way
		}
		if e.Position == nil || c.Position == nil {
			k.R.Note(event.Everyone(), id, e.Name+" is dragged along", cite.BaseOpportunityFrame)
			k.lift(id)
			continue
		}
		k.lift(id)
		if feet, _ := body.Distance(e, c); feet == 5 {
			continue
		}
		to := k.trail(k.R.State(), e, c.Position)
		if to == nil {
			continue // no room: the grapple ends by the distance
		}
		k.R.Move(&eventv1.Moved{Creature: id, To: to, Mode: "drag",
			Feet: grid.Distance(e.Position, body.SpaceFeet(e), to, body.SpaceFeet(e))}, cite.BaseOpportunityFrame)
		body.Befall(k.R, body.OnThrust, id, "dragged", 5)
	}
}
