package body

import (
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// SpellOf finds a spell by name; nil when the creature has none such.
func SpellOf(c *eventv1.Creature, name string) *eventv1.OriginalSpell {
	for _, p := range SheetOf(c).Spells {
		if p.Name == name {
			return p
		}
	}
	return nil
}
