package items

import (
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// OnItem is what provokes in activating a magic item.
const OnItem checks.Trigger = "activates a magic item"

// ItemOf finds a magic item of the sheet by its name; nil when there is none.
func ItemOf(c *eventv1.Creature, name string) *eventv1.RcrItem {
	for _, it := range body.SheetOf(c).Items {
		if it.Name == name {
			return it
		}
	}
	return nil
}

// RefuseKit says why wounds cannot be treated with a healer's kit now: in a fight
// without an override, without a use of it, or without an action.
func RefuseKit(s *eventv1.State, c *eventv1.Creature, override bool) error {
	switch {
	case body.KitWaits(s) && !override:
		return body.Refuse("IN_COMBAT", cite.HealingKitAfterCombat, "wounds are treated with a kit after combat")
	case c.Counters[body.CKit] < 1:
		return body.Refuse("NO_KIT", cite.HealingKitUseExpended, "%s has no use of a healer's kit left", c.Name)
	}
	return checks.NeedAction(c)
}

// LiftOf is the flight that an item of a creature, by its id, gives to whoever it
// bears.
//
// rcr.flight.magic-worn-requirements, rcr.flight.magic-worn-reactivate, rcr.flight.magic-held-as-worn
func LiftOf(it *eventv1.RcrItem, owner string) *eventv1.Condition {
	how, rule := body.LiftWorn, cite.FlightMagicWornReactivate
	if it.Flight == body.LiftHeld {
		how, rule = body.LiftHeld, cite.FlightMagicHeldAsWorn
	}
	return &eventv1.Condition{Id: body.CondLifted + "/" + it.Name, Name: body.CondLifted, Variant: how, Source: owner, Cause: it.Name,
		Values: map[string]int32{body.ChFlySpeed: it.FlySpeed}, Rule: rule}
}
