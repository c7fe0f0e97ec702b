package flight

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/strike"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"google.golang.org/protobuf/types/known/structpb"
)

// Weather is what flyers fly in.
type Weather struct {
	// Mph is the speed of the wind in miles an hour.
	Mph int32
	// Toward is where it blows to in degrees clockwise from north, 45 to 360; 0 where
	// nobody knows.
	Toward int32
	// Way is that as seen from the way flown, as stated: with, against, across; empty
	// where it is not.
	Way string
	// Precipitation is none, any or heavy.
	Precipitation string
}

// WeatherOf is the weather of a fight, as its settings say, with what a command
// states in their place.
func WeatherOf(s *eventv1.State, facts *structpb.Struct) Weather {
	w := Weather{Mph: int32(body.Defaults.Number(s, body.SetWind)), Toward: degreesOf(body.Defaults.Value(s, body.SetWindToward)),
		Way: spoken.Word(facts, "wind_way"), Precipitation: body.Defaults.Value(s, body.SetPrecipitation)}
	if mph, ok := spoken.Number(facts, "wind"); ok {
		w.Mph = mph
	}
	if word := spoken.Word(facts, "precipitation"); word != "" {
		w.Precipitation = word
	}
	return w
}

// Wind is the strength that a wind has.
//
// rcr.flight.wind-tiers
func Wind(mph int32) body.WindRow {
	row := body.Winds[0]
	for _, r := range body.Winds {
		if mph >= r.From {
			row = r
		}
	}
	return row
}

// breeze tells whether the wind changes what flight costs.
//
// rcr.flight.headwind-cost, rcr.flight.tailwind-rate
func (w Weather) breeze() bool { return Wind(w.Mph).DC > 0 }

// Rise is what weather and load add to the difficulties of flight, and the rule
// behind it; the worst alone counts.
//
// rcr.flight.dc-plus-two, rcr.flight.dc-plus-four
func Rise(s *eventv1.State, c *eventv1.Creature, w Weather) (dc int32, rule string) {
	dc = Wind(w.Mph).DC
	load := Load(s, c)
	if w.Precipitation == "any" || load == body.LoadLight {
		dc = max(dc, 2)
	}
	if w.Precipitation == "heavy" || load == body.LoadHeavy {
		dc = 4
	}
	switch dc {
	case 0:
		return 0, ""
	case 2:
		return dc, cite.FlightDcPlusTwo
	}
	return dc, cite.FlightDcPlusFour
}

// Load is how much a creature carries as far as flight goes by it: lightly, heavily,
// over, or nothing that matters. The weight of those it bears counts.
//
// rcr.flight.over-encumbered, rcr.flight.mount-overload
func Load(s *eventv1.State, c *eventv1.Creature) string {
	said := ""
	for _, x := range c.GetConditions() {
		if x.Name == body.CondEncumbered && rank(x.Variant) > rank(said) {
			said = x.Variant
		}
	}
	capacity := body.SheetOf(c).CarryingCapacity
	if capacity == 0 || said == body.LoadOver {
		return said
	}
	pounds := c.Counters[body.CLoad]
	for _, id := range rules.SortedKeys(s.GetCreatures()) {
		if o := s.Creatures[id]; rules.RelationTo(o, body.RelRides, c.Id) != nil {
			pounds += int64(body.SheetOf(o).Weight) + o.Counters[body.CLoad]
		}
	}
	if pounds > int64(capacity) {
		return body.LoadOver
	}
	return said
}

func rank(load string) int {
	return slices.Index([]string{"", body.LoadLight, body.LoadHeavy, body.LoadOver}, load)
}

// refuseAir says why nothing of a creature's size and load flies in a weather.
//
// rcr.flight.over-encumbered, rcr.flight.hover-encumbered, rcr.flight.storm-winds
func refuseAir(s *eventv1.State, c *eventv1.Creature, w Weather) error {
	if Load(s, c) == body.LoadOver {
		rule := cite.FlightOverEncumbered
		if body.AirState(c) == body.AirHovering {
			rule = cite.FlightHoverEncumbered
		}
		return body.Refuse("OVERLOADED", rule, "%s carries more than it can fly with", c.Name)
	}
	if row := Wind(w.Mph); slices.Index(strike.Sizes, c.Size) < slices.Index(strike.Sizes, row.Smallest) {
		return body.Refuse("STORM", cite.FlightStormWinds, "only creatures that are %s or larger fly in a wind of %d miles an hour", row.Smallest, w.Mph)
	}
	return nil
}
