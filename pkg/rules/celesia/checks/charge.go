package checks

import (
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// MeleeNames lists the weapons of the sheet that do not attack at range.
func MeleeNames(_ *eventv1.State, c *eventv1.Creature) []string {
	var out []string
	for _, w := range body.SheetOf(c).Weapons {
		if !body.Ranged(w) {
			out = append(out, w.Name)
		}
	}
	return out
}
