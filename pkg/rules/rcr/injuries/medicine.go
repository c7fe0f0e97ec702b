package injuries

import (
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// FightDeed carries out a deed of a fight on its target: damage, a setback, a turn's
// start, healing, temporary hit points, exhaustion, stabilising, a spell, a kit or a
// revival. An unknown deed is an error.
func FightDeed(r *rules.Resolution, h *eventv1.Harm) error {
	switch h.Deed {
	case body.DeedDamage:
		returnHarm(r, Damage(r, h))
	case body.DeedSetback:
		grade := h.Facts["grade"]
		if grade != checks.GradeMinor && grade != checks.GradeMajor {
			return fault.Field("harm.facts[grade]", "must be minor or major, not %q", grade)
		}
		out, err := Setback(r, h.Target, grade, h.Cause, "setback")
		returnHarm(r, out)
		return err
	case body.DeedTurnStart:
		return turnStart(r, h.Target)
	case body.DeedHeal:
		healDone(r, h)
	case body.DeedTempHP:
		return OfLiving(r, h.Target, func() { GiveTemporary(r, h.Target, h.Amount) })
	case body.DeedExhaust:
		return OfLiving(r, h.Target, func() { Exhaust(r, h.Target, int64(h.Amount), h.Cause) })
	case body.DeedStabilise:
		return stabiliseDone(r, h)
	case body.DeedSpell:
		return spellDone(r, h)
	case body.DeedKit:
		return kitDone(r, h)
	case body.DeedRevive:
		return revive(r, h)
	case body.DeedWound:
		return OfLiving(r, h.Target, func() {
			r.Result().InjuriesGained = gainWounds(r, h.Target, h.Amount, h)
			SetBloodied(r, h.Target) // a scar lowers what it is half of
		})
	case body.DeedSever:
		return OfLiving(r, h.Target, func() { sever(r, h.Target, h) })
	default:
		return fault.Field("harm.deed", "there is no deed %q", h.Deed)
	}
	return nil
}

// OfLiving does something to a creature that must not be dead.
func OfLiving(r *rules.Resolution, id string, do func()) error {
	if body.Dead(r.Creature(id)) {
		return body.Refuse("DEAD", body.Fallback, "%q is dead", id)
	}
	do()
	return nil
}

func returnHarm(r *rules.Resolution, out checks.Harmed) {
	r.Result().Taken = out.Taken
	r.Result().InjuriesGained = out.Wounds
	r.Result().ConcentrationDc = concentrationDC(out.Taken)
	if out.Dropped {
		r.Result().Down = true
	}
}

// turnStart settles what begins a turn: regeneration, then bleeding, then
// suffocation, then the death save. Whoever comes down in it makes no death save in the
// same turn, nor does one that began the turn stable and is dying again by its bleeding.
//
// rcr.injury.row3-bleeding, rcr.base.death-save-frame
func turnStart(r *rules.Resolution, id string) error {
	regenerate(r, id)
	stable, secret := r.Creature(id).Life == eventv1.LifeStatus_LIFE_STATUS_STABLE, body.StableInSecret(r.Creature(id))
	out, err := bleed(r, id)
	if err != nil {
		return err
	}
	returnHarm(r, out)
	fell := suffocate(r, id)
	c := r.Creature(id)
	switch {
	case body.Dead(c):
	case out.Dropped || fell:
		r.Result().NoDeathSave = true
	case stable && !secret:
		r.Result().NoDeathSave = c.Life == eventv1.LifeStatus_LIFE_STATUS_DYING
	case secret: // its bleeding may have ended that, which nobody is to learn by not being asked
		if !body.Drowns(r.State(), c) { // the dying are asked nothing there either
			vainSave(r, id)
		}
	case c.Life == eventv1.LifeStatus_LIFE_STATUS_DYING:
		if deathSave(r, id) {
			r.Result().WokeByItself = true
		}
	}
	if r.Creature(id).Life == eventv1.LifeStatus_LIFE_STATUS_STABLE {
		r.Result().Stable = true
	}
	r.Result().DeathFailures = int32(r.Count(id, body.CDeathFailures))
	return nil
}

// stabiliseDone makes a dying creature stable; whether it worked the caller
// has found out. Nobody is told that it was stable already.
//
// rcr.base.death-save-frame
func stabiliseDone(r *rules.Resolution, h *eventv1.Harm) error {
	if err := RefuseStable(r, r.Creature(h.Target)); err != nil {
		return err
	}
	stabilise(r, h.Target, h.Cause, false)
	r.Result().Stable = true
	return nil
}

// RefuseStable says why a creature cannot be made stable.
func RefuseStable(r *rules.Resolution, c *eventv1.Creature) error {
	switch {
	case !body.Down(c):
		return body.Refuse("NOT_DYING", cite.BaseDeathSaveFrame, "%q is not dying", c.GetId())
	case Suffocates(c) && r.On(cite.UnderwaterSuffocatingNoStabilize):
		return body.Refuse("SUFFOCATING", cite.BaseDeathSaveFrame, "%q cannot be stabilised while it suffocates", c.Id)
	}
	return nil
}
