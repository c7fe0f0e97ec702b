package items

import (
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// AbilityOf finds a special ability of the sheet by its name; nil when there is
// none.
func AbilityOf(c *eventv1.Creature, name string) *eventv1.CelesiaAbility {
	for _, a := range body.SheetOf(c).SpecialAbilities {
		if a.Name == name {
			return a
		}
	}
	return nil
}

// Counted tells whether the uses of an ability run out.
func Counted(a *eventv1.CelesiaAbility) bool {
	return a.Uses > 0 || IsManeuver(a)
}
