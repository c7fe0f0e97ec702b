package body

import (
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Unarmoured is the armour class without armour.
const Unarmoured = 9

// ShieldedFrom lists the attackers that the shield serves against this round.
//
// original.defense.shield-two-attackers
func ShieldedFrom(c *eventv1.Creature) []string {
	return rules.RelatedTo(c, RelShield)
}
