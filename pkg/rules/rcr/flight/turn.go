package flight

import (
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	"github.com/skaldrpg/skald/pkg/rules/rcr/movement"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// EndTurn settles what the end of its turn means for a creature in the air: a dive
// ends, who has not travelled far enough hovers or falls, who arrests its fall sinks,
// who falls falls on.
//
// rcr.flight.minimum-move, rcr.flight.hover-check, rcr.flight.arrest-reaction,
// rcr.flight.fall-uncontrolled, rcr.flight.dive-enter
func EndTurn(r *rules.Resolution, id string) {
	c := r.Creature(id)
	if c == nil {
		return
	}
	recharge(r, id)
	r.Flag(id, body.MBlasted, false)
	if !body.Airborne(c) {
		return
	}
	if body.AirState(c) == body.AirDiving {
		pullOut(r, id, nil)
	}
	leave(r, id)
	c = r.Creature(id)
	began := c.Marks[body.MFallBegan] != ""
	r.Flag(id, body.MFallBegan, false)
	switch body.AirState(c) {
	case body.AirArresting:
		if !began {
			sink(r, id)
		}
	case body.AirFalling:
		if !began {
			r.Flag(id, body.MDropped, false)
			r.Flag(id, body.MSeized, false)
		}
	case body.AirFlying, body.AirHovering:
		stayUp(r, id)
	}
	Settle(r)
	for _, mark := range []string{body.MFallBegan, body.MHovered, body.MInside} {
		r.Flag(id, mark, false)
	}
}

// stayUp holds that a flyer has travelled half its fly speed in the turn, or hovers.
// Who cannot pay for that falls without a roll.
//
// rcr.flight.minimum-move, rcr.flight.hover-check
func stayUp(r *rules.Resolution, id string) {
	c, s := r.Creature(id), r.State()
	half := halfSpeed(s, id)
	switch {
	case checks.BareAction(s, c): // it has no movement to keep up with
	case c.Marks[body.MHovered] != "", c.Counters[body.CTravelled] >= int64(half):
	case leftHalf(s, c) < 2*half:
		BeginFall(r, id, "it can neither travel nor hover", cite.FlightHoverCheck)
	default:
		hover(r, id, nil)
	}
}

// recharge gives the reversal back to whoever has spent all its fly speed in the turn.
//
// rcr.feat.aerial-ace-reverse-recharge
func recharge(r *rules.Resolution, id string) {
	c := r.Creature(id)
	if c.Marks[body.MReversed] != "" && c.Counters[body.CMoved] > 0 && leftHalf(r.State(), c) == 0 {
		r.Flag(id, body.MReversed, false, cite.FeatAerialAceReverseRecharge)
	}
}

// RefuseEndTurn says why a diver cannot end its turn: it is in another's space and can
// still leave it.
//
// rcr.flight.adv-dive-no-end-inside
func RefuseEndTurn(s *eventv1.State, c *eventv1.Creature) error {
	if inside(s, c) != "" && leftHalf(s, c) >= 10 && !body.Incapacitated(c) {
		return body.Refuse("INSIDE", cite.FlightAdvDiveNoEndInside, "%s is in the space of another: leave it first", c.Name)
	}
	return nil
}

// inside is whose space a creature in the air is in by a dive; empty for nobody's.
func inside(s *eventv1.State, c *eventv1.Creature) string {
	if !body.Advanced(s, cite.FlightAdvDiveNoEndInside) || c.Counters[body.CDived] == 0 {
		return ""
	}
	if c.Marks[body.MInside] != "" {
		return "another"
	}
	for _, id := range rules.SortedKeys(s.Creatures) {
		if o := s.Creatures[id]; id != c.Id && !body.Dead(o) && !body.Has(o, body.CondHidden) && movement.Overlap(c, c.Position, o) && !linked(c, o) && !linked(o, c) {
			return id
		}
	}
	return ""
}

// leave puts a diver that cannot leave another's space on the ground beside it.
//
// rcr.flight.adv-dive-no-end-inside
func leave(r *rules.Resolution, id string) {
	const rule = cite.FlightAdvDiveNoEndInside
	c := r.Creature(id)
	if !body.Flies(c) || inside(r.State(), c) == "" {
		return
	}
	if to := beside(r.State(), c); to != nil {
		r.Move(&eventv1.Moved{Creature: id, To: to, Mode: "fall", Feet: 5}, rule)
	}
	body.EndFlight(r, id, "it comes down beside the other", rule)
	body.SetProne(r, id, "it comes down beside the other", rule)
}

// beside is the nearest place on the ground where nobody stands; nil without positions.
func beside(s *eventv1.State, c *eventv1.Creature) *eventv1.Position {
	if c.Position == nil {
		return nil
	}
	for ring := int32(5); ring <= 60; ring += 5 {
		for x := -ring; x <= ring; x += 5 {
			for y := -ring; y <= ring; y += 5 {
				at := &eventv1.Position{X: c.Position.X + x, Y: c.Position.Y + y, Z: int32(c.Counters[body.CGround])}
				if max(x, -x, y, -y) == ring && movement.Overlapped(s, c, at) == "" {
					return at
				}
			}
		}
	}
	return nil
}
