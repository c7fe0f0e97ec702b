package strike

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// RefuseAim: somebody must have something to shoot or throw.
func RefuseAim(_ *eventv1.State, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	for _, w := range body.SheetOf(c).Weapons {
		if body.Ranged(w) && Wieldable(c, w) {
			return nil
		}
	}
	return body.Refuse("NO_RANGED_WEAPON", cite.AttackSteadyAim, "%s has no ranged weapon in hand", c.Name)
}
