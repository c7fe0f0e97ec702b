package body

import (
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Inflict lays a condition on a creature, unless content keeps it off; it tells whether
// it did.
func Inflict(r *rules.Resolution, id string, x *eventv1.Condition) bool {
	if house.KeepsOff(r, r.Creature(id), x.Name) {
		return false
	}
	r.AddCondition(id, x)
	return true
}
