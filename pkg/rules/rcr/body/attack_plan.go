package body

import (
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// InHand tells whether an attack is ready: natural attacks and spells always are.
func InHand(c *eventv1.Creature, a *eventv1.RcrAttack) bool {
	if a.Natural || a.Spell {
		return true
	}
	if it := c.GetItems()[a.Name]; it != nil {
		return it.Place == "main" || it.Place == "off" || it.Place == "both"
	}
	return a.Hand == "" || a.Hand == "main" || a.Hand == "off"
}

// UsesOf is the counter of what is left of a limited thing: its own, or the one
// that it shares with others.
func UsesOf(name string, u *eventv1.RcrUsage) string {
	if u.GetShared() != "" {
		name = u.Shared
	}
	return CLeft + name
}

// Limited tells whether a usage can run out: it counts uses or must recharge.
func Limited(u *eventv1.RcrUsage) bool { return u.GetUses() > 0 || u.GetRecharge() == "recharge" }
