package basic

import (
	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Medicine is the system's part in harm and healing; the injury service runs it.
type Medicine struct{}

var _ rules.Medicine = Medicine{}

// Deed carries out harm or healing on a creature.
func (Medicine) Deed(r *rules.Resolution, h *eventv1.Harm) error {
	c := r.Creature(h.GetTarget())
	if c == nil {
		return fault.New(fault.NotFound, "UNKNOWN_CREATURE", "harm.target: there is no creature %q", h.GetTarget())
	}
	if dead(c) {
		return refuse("DEAD", cite.DeathZeroHp, "%q is dead", h.Target)
	}
	switch h.Deed {
	case deedDamage:
		damage(r, h)
	case deedHeal:
		heal(r, h.Target, h.Source, h.Cause, h.Amount)
	case deedCondition:
		lay(r, h.Target, h.Facts["effect"], h.Cause)
	case deedWake:
		wake(r, h.Target, max(1, c.GetHp()), h.Cause)
	default:
		return fault.Field("harm.deed", "there is no deed %q", h.Deed)
	}
	return nil
}

// damage takes damage off the hit points, which do not go below 0. Whoever is
// unconscious dies of any damage.
//
// basic.damage.roll, basic.injury.unconscious-lethal, basic.item.oil-fire-immunity
func damage(r *rules.Resolution, h *eventv1.Harm) {
	c := r.Creature(h.Target)
	amount, rolled := int32(0), int32(0)
	var parts []*eventv1.DamagePart
	for _, p := range h.Parts {
		part := &eventv1.DamagePart{Type: p.Type, Rolled: p.Rolled, Taken: max(0, p.Rolled)}
		if p.Type == fire && fireproof(c) {
			part.Taken, part.Note, part.Rule = 0, "immunity", cite.ItemOilFireImmunity
		}
		amount, rolled = amount+part.Taken, rolled+max(0, p.Rolled)
		parts = append(parts, part)
	}
	nature := h.Nature
	if unconscious(c) {
		nature = ""
	}
	if rolled > 0 {
		r.Emit(event.Controllers(h.Target), &eventv1.Damage{Target: h.Target, Source: h.Source, Cause: h.Cause, Parts: parts, Amount: amount,
			Critical: h.Critical, Nature: nature}, cite.DamageRoll)
	}
	r.Return(resTaken, amount)
	switch {
	case amount > 0 && unconscious(c) && h.Facts["together"] != "":
		// It fell on the very number of this blow: basic.initiative.ties-simultaneous.
	case amount > 0 && unconscious(c):
		die(r, h.Target, h.Cause, cite.InjuryUnconsciousLethal)
		return
	case amount > 0:
		if nature == "nonlethal" {
			r.Set(h.Target, cNonlethal, r.Count(h.Target, cNonlethal)+int64(amount), h.Cause, cite.InjurySubdualZero)
		}
		r.SetHitPoints(h.Target, max(0, c.GetHp()-amount), c.GetHpMax(), 0, cite.DamageRoll)
		if r.Creature(h.Target).GetHp() == 0 {
			fall(r, h.Target, h.Cause)
		}
	}
	if !dead(r.Creature(h.Target)) {
		lay(r, h.Target, h.Facts["effect"], h.Cause)
	}
}

// fall settles having no hit points: death, or unconsciousness for one who took
// some damage that was not meant to kill.
//
// basic.death.zero-hp, basic.injury.subdual-zero, basic.healing.subdual-wake
func fall(r *rules.Resolution, id, cause string) {
	if r.Count(id, cNonlethal) == 0 {
		die(r, id, cause, cite.DeathZeroHp)
		return
	}
	r.Emit(event.Everyone(), &eventv1.LifeChanged{Creature: id, Status: eventv1.LifeStatus_LIFE_STATUS_UNCONSCIOUS, Cause: cause}, cite.InjurySubdualZero)
	turns := r.Count(id, cWakeTurns)
	if turns == 0 { // it does not lie there since an earlier fight
		turns = int64(r.Roll(rules.RollSpec{Label: "wake/" + id, Creature: id, Expression: "1d4", Reason: "turns until awake",
			Rules: []string{cite.HealingSubdualWake}}).Total)
	}
	r.Set(id, cWakeTurns, turns, "knocked out", cite.HealingSubdualWake)
	r.Set(id, cWake, int64(r.State().Round)+turns*turnRounds(r), "knocked out", cite.HealingSubdualWake)
	r.Return(resDown, 1)
}

func die(r *rules.Resolution, id, cause, rule string) {
	r.Emit(event.Everyone(), &eventv1.LifeChanged{Creature: id, Status: eventv1.LifeStatus_LIFE_STATUS_DEAD, Cause: cause}, rule)
	r.Set(id, cWake, 0, "dead")
	r.Set(id, cWakeTurns, 0, "dead")
	r.Return(resDead, 1)
}

// lay puts the condition of a critical hit or a spell on a creature; the same
// condition twice does not double.
//
// basic.critical.effect-chart
func lay(r *rules.Resolution, id, name, cause string) {
	rule := map[string]string{condShaken: cite.ConditionShaken, condProne: cite.ConditionProne, condBlinded: cite.ConditionBlinded}[name]
	if rule == "" || has(r.Creature(id), name) {
		return
	}
	r.AddCondition(id, &eventv1.Condition{Name: name, Cause: cause, Rule: rule})
}

// heal gives hit points back, up to the maximum. At the maximum nothing of the
// damage that was not meant to kill is left.
//
// basic.injury.subdual-zero
func heal(r *rules.Resolution, id, source, cause string, amount int32) {
	c := r.Creature(id)
	hp := min(c.GetHpMax(), c.GetHp()+max(0, amount))
	r.Emit(event.Controllers(id), &eventv1.Healing{Target: id, Source: source, Cause: cause, Offered: amount, Amount: hp - c.GetHp()})
	if unconscious(c) && hp > 0 {
		wake(r, id, hp, cause)
	} else {
		r.SetHitPoints(id, hp, c.GetHpMax(), 0)
	}
	if hp == c.GetHpMax() {
		r.Set(id, cNonlethal, 0, "unhurt", cite.InjurySubdualZero)
	}
}

// wake brings an unconscious creature round with hit points.
//
// basic.healing.subdual-wake
func wake(r *rules.Resolution, id string, hp int32, cause string) {
	c := r.Creature(id)
	r.SetHitPoints(id, hp, c.GetHpMax(), 0, cite.HealingSubdualWake)
	r.Set(id, cWake, 0, cause)
	r.Set(id, cWakeTurns, 0, cause)
	if unconscious(c) {
		r.Emit(event.Everyone(), &eventv1.LifeChanged{Creature: id, Status: eventv1.LifeStatus_LIFE_STATUS_ALIVE, Cause: cause}, cite.HealingSubdualWake)
	}
}
