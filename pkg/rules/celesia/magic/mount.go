package magic

import (
	"slices"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// SameHand tells whether somebody plays both of two creatures, the game master
// those that nobody else does.
func SameHand(a, b *eventv1.Creature) bool {
	return len(a.Controllers) == 0 && len(b.Controllers) == 0 ||
		slices.ContainsFunc(a.Controllers, func(who string) bool { return slices.Contains(b.Controllers, who) })
}
