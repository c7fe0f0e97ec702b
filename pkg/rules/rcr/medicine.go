package rcr

import (
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Medicine is the system's part in harm and healing; the injury service runs
// it. All changes of hit points, wounds, scars, exhaustion and life in a fight
// are made here.
type Medicine struct{}

var _ rules.Medicine = Medicine{}

// Deed carries out harm, healing or another deed on a creature. The numbers
// handed back are those of names.go.
func (Medicine) Deed(r *rules.Resolution, h *eventv1.Harm) error {
	if bookError != nil {
		return bookError
	}
	if r.Creature(h.GetTarget()) == nil {
		return fault.New(fault.NotFound, "UNKNOWN_CREATURE", "harm.target: there is no creature %q", h.GetTarget())
	}
	if err := fightDeed(r, h); err != nil {
		return err
	}
	if dead(r.Creature(h.Target)) {
		r.Return(resDead, 1)
	}
	return nil
}

func fightDeed(r *rules.Resolution, h *eventv1.Harm) error {
	switch h.Deed {
	case deedDamage:
		returnHarm(r, damage(r, h))
	case deedSetback:
		grade := h.Facts["grade"]
		if grade != gradeMinor && grade != gradeMajor {
			return fault.Field("harm.facts[grade]", "must be minor or major, not %q", grade)
		}
		out, err := setback(r, h.Target, grade, h.Cause, "setback")
		returnHarm(r, out)
		return err
	case deedTurnStart:
		return turnStart(r, h.Target)
	case deedHeal:
		healDone(r, h)
	case deedTempHP:
		return ofLiving(r, h.Target, func() { giveTemporary(r, h.Target, h.Amount) })
	case deedExhaust:
		return ofLiving(r, h.Target, func() { exhaust(r, h.Target, int64(h.Amount), h.Cause) })
	case deedStabilise:
		return stabiliseDone(r, h)
	case deedSpell:
		return spellDone(r, h)
	case deedKit:
		return kitDone(r, h)
	case deedRevive:
		return revive(r, h)
	default:
		return fault.Field("harm.deed", "there is no deed %q", h.Deed)
	}
	return nil
}

// ofLiving does something to a creature that must not be dead.
func ofLiving(r *rules.Resolution, id string, do func()) error {
	if dead(r.Creature(id)) {
		return refuse("DEAD", fallback, "%q is dead", id)
	}
	do()
	return nil
}

func returnHarm(r *rules.Resolution, out harmed) {
	r.Return(resTaken, out.taken)
	r.Return(resWounds, out.wounds)
	r.Return(resConcMust, concentrationDC(out.taken))
	if out.dropped {
		r.Return(resDropped, 1)
	}
}

// turnStart settles what begins a turn: regeneration, then bleeding, then
// suffocation, then the death save. Whoever comes down in it makes no death save in the same turn.
//
// rcr.injury.row3-bleeding, rcr.base.death-save-frame
func turnStart(r *rules.Resolution, id string) error {
	regenerate(r, id)
	out, err := bleed(r, id)
	if err != nil {
		return err
	}
	returnHarm(r, out)
	fell := suffocate(r, id)
	c := r.Creature(id)
	switch {
	case dead(c) || outlasts(c):
	case out.dropped || fell:
		r.Return(resNoSave, 1)
	case stableInSecret(c):
		vainSave(r, id)
	case c.Life == eventv1.LifeStatus_LIFE_STATUS_DYING:
		if deathSave(r, id) {
			r.Return(resRevived, 1)
		}
	}
	if r.Creature(id).Life == eventv1.LifeStatus_LIFE_STATUS_STABLE {
		r.Return(resStable, 1)
	}
	r.Return(resFailures, int32(r.Count(id, cDeathFailures)))
	return nil
}

// stabiliseDone makes a dying creature stable; whether it worked the caller
// has found out. Nobody is told that it was stable already.
//
// rcr.base.death-save-frame
func stabiliseDone(r *rules.Resolution, h *eventv1.Harm) error {
	if err := refuseStable(r.Creature(h.Target)); err != nil {
		return err
	}
	stabilise(r, h.Target, h.Cause, false)
	r.Return(resStable, 1)
	return nil
}

// refuseStable says why a creature cannot be made stable.
func refuseStable(c *eventv1.Creature) error {
	switch {
	case !down(c):
		return refuse("NOT_DYING", cite.BaseDeathSaveFrame, "%q is not dying", c.GetId())
	case suffocates(c):
		return refuse("SUFFOCATING", cite.BaseDeathSaveFrame, "%q cannot be stabilised while it suffocates", c.Id)
	}
	return nil
}
