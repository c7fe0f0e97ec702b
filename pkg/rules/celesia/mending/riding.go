package mending

import (
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// VariantMounted is that of a charge on a mount.
const VariantMounted = "mounted"

// LanceCharge tells whether an attack is that of a lance at the end of a mounted
// charge, which deals double damage.
//
// celesia.mount.lance-charge
func LanceCharge(c *eventv1.Creature, a body.Attack) bool {
	x := body.Condition(c, body.CondCharging)
	return a.Weapon.Lance && x.GetVariant() == VariantMounted && x.GetSource() == a.Target
}
