package flight

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/dice"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// degreesOf is a way of the compass in degrees clockwise from north, 45 to 360; 0 for
// a word that is none.
func degreesOf(heading string) int32 {
	i := slices.Index(body.Headings, heading)
	switch {
	case i < 0:
		return 0
	case i == 0:
		return 360
	}
	return int32(i) * 45
}

// headingOf is the word of degrees from 45 to 360; empty for 0.
func headingOf(degrees int32) string {
	if degrees == 0 {
		return ""
	}
	return body.Headings[degrees/45%8]
}

// headingBetween is the way of the compass nearest to that from one place to another
// on the map, in degrees; 0 where nothing but the height differs. North is where y
// grows.
func headingBetween(from, to *eventv1.Position) int32 {
	x, y := to.X-from.X, to.Y-from.Y
	// A way within 22.5 degrees of an axis is that axis: the tangent of that is 0.414.
	ax, ay := int64(dice.Abs(x)), int64(dice.Abs(y))
	north, east := y > 0, x > 0
	var word string
	switch {
	case x == 0 && y == 0:
		return 0
	case ax*1000 <= ay*414:
		word = pick(north, "north", "south")
	case ay*1000 <= ax*414:
		word = pick(east, "east", "west")
	default:
		word = pick(north, "north", "south") + "-" + pick(east, "east", "west")
	}
	return degreesOf(word)
}

func pick(yes bool, a, b string) string {
	if yes {
		return a
	}
	return b
}

// apart is the angle between two ways, 0 to 180 degrees; 0 where the first is not known.
func apart(a, b int32) int32 {
	if a == 0 {
		return 0
	}
	d := dice.Abs(a-b) % 360
	return min(d, 360-d)
}

// Ways of the wind.
const (
	with    = -1
	across  = 0
	against = 1
)

// windOn is how the wind blows on a leg flown in a direction, 0 for one that is not
// known: with it and against it within 45 degrees.
//
// rcr.flight.headwind-cost, rcr.flight.tailwind-rate
func (w Weather) windOn(heading int32) int {
	switch {
	case !w.breeze():
		return across
	case w.Way == "with":
		return with
	case w.Way == "against":
		return against
	case w.Way == "across" || heading == 0 || w.Toward == 0:
		return across
	case apart(heading, w.Toward) <= 45:
		return with
	case apart(heading, w.Toward) >= 135:
		return against
	}
	return across
}
