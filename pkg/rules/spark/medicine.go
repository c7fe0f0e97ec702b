package spark

import (
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spark/body"
	"github.com/skaldrpg/skald/pkg/rules/spark/mending"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Medicine is the system's part in harm and healing; the injury service runs it.
type Medicine struct{}

var _ rules.Medicine = Medicine{}

// Deed carries out harm or healing in a fight: damage, heal, injure. It hands
// back what was taken or healed, and whether the target is down.
func (Medicine) Deed(r *rules.Resolution, h *eventv1.Harm) error {
	if r.Creature(h.GetTarget()) == nil {
		return fault.New(fault.NotFound, "UNKNOWN_CREATURE", "harm.target: there is no creature %q", h.GetTarget())
	}
	switch h.Deed {
	case body.DeedDamage:
		mending.Damage(r, h)
	case body.DeedHeal:
		if h.Amount < 0 {
			return fault.Field("harm.amount", "%d is less than 0", h.Amount)
		}
		mending.Heal(r, h)
	case body.DeedInjure:
		if kind := h.Facts["kind"]; !mending.KnownInjury(r.Content(), kind) {
			return fault.Field("harm.facts[kind]", "%q is not one of %v", kind, rules.SortedKeys(mending.InjuryRules))
		}
		mending.Injure(r, h, h.Facts["kind"])
	default:
		return fault.Field("harm.deed", "there is no deed %q", h.Deed)
	}
	if body.Out(r.Creature(h.Target)) {
		r.Result().Down = true
	}
	return nil
}
