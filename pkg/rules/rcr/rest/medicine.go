package rest

import (
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/injuries"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Medicine is the system's part in harm and healing; the injury service runs
// it. All changes of hit points, wounds, scars, exhaustion and life in a fight
// are made here.
type Medicine struct{}

var _ rules.Medicine = Medicine{}

// Deed carries out harm, healing or another deed on a creature.
func (Medicine) Deed(r *rules.Resolution, h *eventv1.Harm) error {
	if body.BookError != nil {
		return body.BookError
	}
	if r.Creature(h.GetTarget()) == nil {
		return fault.New(fault.NotFound, "UNKNOWN_CREATURE", "harm.target: there is no creature %q", h.GetTarget())
	}
	if err := injuries.FightDeed(r, h); err != nil {
		return err
	}
	if body.Dead(r.Creature(h.Target)) {
		r.Result().Dead = true
	}
	return nil
}
