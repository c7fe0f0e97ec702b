package flight

import (
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// SpaceHalf is the side of the space that a creature takes up in flight, in half
// feet: wings take that of the next size, magic takes no more than its own. What it
// controls stays body.SpaceFeet.
//
// rcr.flight.enlarged-space, rcr.flight.space-not-controlled, rcr.flight.magic-worn-space,
// rcr.flight.magic-held-as-worn, rcr.flight.magic-spell
func SpaceHalf(c *eventv1.Creature) int32 {
	for _, row := range body.Spaces {
		switch {
		case row.Size != c.GetSize():
		case body.FlightBy(c) != "":
			return row.Own
		default:
			return row.Flying
		}
	}
	return 2 * body.SpaceFeet(c)
}

// refuseGap says that a gap is too narrow to fly through.
//
// rcr.flight.no-squeeze, rcr.flight.magic-worn-space
func refuseGap(c *eventv1.Creature, feet int32) error {
	if need := SpaceHalf(c); 2*feet < need {
		return body.Refuse("TOO_NARROW", cite.FlightNoSqueeze, "%s needs %s feet to fly through", c.Name, feetText(need))
	}
	return nil
}

// feetText writes half feet as feet.
func feetText(half int32) string {
	if half%2 != 0 {
		return body.Itoa(half/2) + ".5"
	}
	return body.Itoa(half / 2)
}

// RimHalf is the length of the rim that a flyer goes along to turn through so many
// degrees, in half feet, rounded up: its radius is the space that it takes up.
//
// rcr.flight.adv-bank-radius, rcr.flight.adv-bank-path
func RimHalf(c *eventv1.Creature, degrees int32) int32 {
	const whole = 180 * 10000
	return int32((int64(degrees)*int64(SpaceHalf(c))*31416 + whole - 1) / whole)
}

// refuseBank says that a turn is tighter than a flyer can: of the rim at most one
// square may be wanting.
//
// rcr.flight.adv-bank-path
func refuseBank(s *eventv1.State, c *eventv1.Creature, degrees, feet int32) error {
	const rule = cite.FlightAdvBankPath
	if !banks(s) || degrees == 0 {
		return nil
	}
	if rim := RimHalf(c, degrees); 2*(feet+5) < rim {
		return body.Refuse("TOO_TIGHT", rule, "%s turns %d degrees along a rim of %s feet, not in %d", c.Name, degrees, feetText(rim), feet)
	}
	return nil
}
