package manners

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Strikes tells whether a weapon makes its user armed in melee.
//
// celesia.attack.armed-unarmed
func Strikes(c *eventv1.Creature, w *eventv1.CelesiaWeapon) bool {
	switch w.Kind {
	case body.KindMelee, body.KindNatural:
		return true
	case body.KindUnarmed:
		return body.Feature(c, body.FeatImprovedUnarmed) || body.Feature(c, body.FeatMonk) || hasNatural(c)
	}
	return false
}

func hasNatural(c *eventv1.Creature) bool {
	return slices.ContainsFunc(body.SheetOf(c).Weapons, func(w *eventv1.CelesiaWeapon) bool { return w.Kind == body.KindNatural })
}
