package flight

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/rcr/answers"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/movement"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// RefuseMove says why a creature in the air cannot move at all.
func RefuseMove(at *play.At) error {
	if !body.Airborne(at.Actor) {
		return nil
	}
	return body.FirstError(answers.RefuseSpeed(at.State, at.Actor), refuseState(at.Actor), refuseAir(at.State, at.Actor, WeatherOf(at.State, at.Take.GetFacts())))
}

// words of a movement that only a flight takes.
var words = []string{"climb", "descend", "vertical", "heading", "turns", "aloft", "over_water"}

// MoveFields adds to the words of a movement those that a flight takes, and keeps
// flight from the modes where nothing flies.
func MoveFields(at *play.At, fields []play.Field, crawling bool) []play.Field {
	if crawling {
		return fields
	}
	if !at.Listing {
		for _, word := range words {
			fields = append(fields, play.Field{Name: word})
		}
		return fields
	}
	s, c := at.State, at.Actor
	if body.SpeedIn(s, c.Id, "fly") == 0 {
		return fields
	}
	if refuseAir(s, c, WeatherOf(s, nil)) != nil {
		return withoutFlight(fields)
	}
	if c.Position != nil {
		return fields
	}
	most := leftHalf(s, c)
	if most < 1 {
		return fields
	}
	fields = append(fields, play.Field{Name: "climb", Least: 1, Most: max(1, most/2)})
	if high := body.Altitude(c); high > 0 {
		fields = append(fields, play.Field{Name: "descend", Least: 1, Most: min(max(1, most), high)})
	}
	return fields
}

// withoutFlight takes flying from the modes of a movement.
func withoutFlight(fields []play.Field) []play.Field {
	var out []play.Field
	for _, f := range fields {
		if f.Name == "mode" {
			f.Values = slices.DeleteFunc(slices.Clone(f.Values), func(mode string) bool { return mode == "fly" })
		}
		if f.Name != "mode" || len(f.Values) > 0 {
			out = append(out, f)
		}
	}
	return out
}

// RefuseWords refuses words of flight for a movement that is none.
func RefuseWords(take *eventv1.TakeAction) error {
	for _, flightWord := range words {
		if take.GetParameters().GetFields()[flightWord] != nil {
			return fault.Field("take.parameters."+flightWord, "goes with the mode fly")
		}
	}
	return nil
}

// Squares are the places that a creature can move to, nearest first, and whether there
// are more. Those of a flyer are at its own height; where they hang on the wind or on
// how it banks they are not listed.
//
// rcr.flight.hover-facing
func Squares(s *eventv1.State, c *eventv1.Creature, crawling bool) (squares []*eventv1.Square, cut bool) {
	if !body.Airborne(c) && body.SpeedIn(s, c.Id, "walk") > 0 {
		return movement.Squares(s, c, crawling)
	}
	facing := int32(c.Counters[body.CFacing])
	hovering := body.AirState(c) == body.AirHovering
	w := WeatherOf(s, nil)
	if refuseAir(s, c, w) != nil || w.breeze() || facing != 0 && !hovering && banks(s) {
		return nil, false
	}
	squares, cut = movement.Squares(s, c, crawling)
	if facing == 0 || !hovering {
		return squares, cut
	}
	return slices.DeleteFunc(squares, func(q *eventv1.Square) bool { return headingBetween(c.Position, q.At) != facing }), cut
}

// banks tells whether turns in the air take a radius.
//
// rcr.flight.adv-bank-radius, rcr.flight.adv-bank-path
func banks(s *eventv1.State) bool {
	return body.Advanced(s, cite.FlightAdvBankPath) && body.Advanced(s, cite.FlightAdvBankRadius)
}
