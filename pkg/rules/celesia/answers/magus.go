package answers

import (
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// MagusSpells lists the spells that an action of the magus can use.
func MagusSpells(c *eventv1.Creature, touch bool) []string {
	var out []string
	for _, sp := range body.SheetOf(c).Spells {
		if sp.Magus && (touch && sp.Attack == "melee-touch" || !touch && sp.Casting == "standard") {
			out = append(out, sp.Name)
		}
	}
	return out
}
