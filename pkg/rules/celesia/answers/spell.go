package answers

import (
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// SpellUsed is the spell of an action: of the sheet, or of an item.
func SpellUsed(c *eventv1.Creature, take *eventv1.TakeAction) *eventv1.CelesiaSpell {
	if th := body.ThingOf(c, take.Item); th.GetSpell() != nil {
		return th.Spell
	}
	return body.SpellOf(c, take.Item)
}

// Rounding is the 1-round action that a creature has begun; nil without one.
func Rounding(c *eventv1.Creature) *eventv1.Begun {
	for _, b := range c.GetBegun() {
		if b.Kind == body.BegunCasting || b.Kind == body.BegunLoading {
			return b
		}
	}
	return nil
}
