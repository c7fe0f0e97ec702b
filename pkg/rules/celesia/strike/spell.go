package strike

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// RefuseSpell says why a spell cannot be cast whatever the target.
func RefuseSpell(c *eventv1.Creature, sp *eventv1.CelesiaSpell) error {
	if sp.Uses > 0 && c.Counters[body.CLeft+sp.Name] < 1 {
		return body.Refuse("SPENT", cite.SpellStandard, "%s cannot be cast again today", sp.Name)
	}
	if err := refuseComponents(c, sp); err != nil {
		return err
	}
	if body.Has(c, body.CondPinned) {
		return body.Refuse("PINNED", cite.ManeuverPin, "%s is pinned", c.Name)
	}
	return nil
}
