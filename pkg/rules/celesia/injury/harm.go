package injury

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/mending"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// dealDamage carries out damage of any nature.
func dealDamage(r *rules.Resolution, h *eventv1.Harm) {
	total := mending.TellDamage(r, h, 1)
	if total == 0 {
		return
	}
	lethal := total
	if mending.Tallied(h.Nature) {
		lethal = mending.TallyUp(r, h.Target, h.Nature, total, 1)
	}
	takeLethal(r, h, lethal)
	massive(r, h.Target, lethal, h.Cause)
}

// takeLethal applies damage to hit points: temporary ones first, then the
// choice of an injury in its place. What massive damage means comes after it.
func takeLethal(r *rules.Resolution, h *eventv1.Harm, dealt int32) {
	if dealt <= 0 {
		return
	}
	c := r.Creature(h.Target)
	soaked := min(dealt, c.GetHpTemp())
	left := dealt - soaked
	var chosen string
	if left > 0 && c.GetHp()-left <= 0 {
		chosen = offerCrippling(r, h, left)
	}
	if chosen != "" {
		row, side := body.SplitChoice(chosen)
		negated := min(left, strike.CrippleRow(r.Content(), row).Negated)
		left -= negated
		cripplePart(r, h.Target, row, side, negated, h.Cause)
	}
	r.SetHitPoints(h.Target, c.GetHp()-left, c.GetHpMax(), c.GetHpTemp()-soaked, cite.InjuryHpBands)
	// Damage that an injury cancels in full was not taken: who is stable stays so.
	mending.SettleBody(r, h.Target, left+soaked > 0)
}

// massive is the save against massive damage and, once survived, the injury
// that it brings. What counts is what the attack dealt, before anything was
// taken in its place.
//
// celesia.injury.massive-threshold, celesia.injury.massive-save,
// celesia.injury.massive-single-attack, celesia.injury.massive-crit-immune
func massive(r *rules.Resolution, id string, dealt int32, cause string) {
	c := r.Creature(id)
	if body.Dead(c) || body.Immune(c, body.ImmuneCritical) || dealt < 50 || 2*dealt < c.GetHpMax() {
		return
	}
	dc := 15 + (dealt-50)/2
	if !strike.RollSaving(r, "massive-damage/"+id, c, nil, "fortitude", dc, "massive damage", nil, cite.InjuryMassiveSave).Success() {
		mending.Kill(r, id, "massive damage", cite.InjuryMassiveSave)
		return
	}
	Impose(r, id, dealt, cause)
}

// coup is the damage of a coup de grace and the save of a victim that outlives
// it; one that massive damage asks for comes after that.
//
// celesia.death.coup-save
func coup(r *rules.Resolution, h *eventv1.Harm) {
	dealt := mending.TellDamage(r, h, 2)
	if h.Nature == body.NatureNonlethal && body.Immune(r.Creature(h.Target), body.ImmuneNonlethal) {
		return
	}
	lethal := dealt
	if h.Nature == body.NatureNonlethal {
		lethal = mending.TallyUp(r, h.Target, h.Nature, dealt, 2)
	}
	takeLethal(r, h, lethal)
	coupSave(r, h, dealt)
	massive(r, h.Target, lethal, h.Cause)
}

// coupSave is the save against a coup de grace: failed it is death, or, for
// whoever a nonlethal one left conscious, unconsciousness. It goes by the damage
// dealt, before anything was taken in its place.
//
// celesia.death.coup-save, celesia.attack.coup-nonlethal
func coupSave(r *rules.Resolution, h *eventv1.Harm, dealt int32) {
	c := r.Creature(h.Target)
	gentle := h.Nature == body.NatureNonlethal
	if body.Dead(c) || gentle && body.Has(c, body.CondUnconscious) {
		return
	}
	if strike.RollSaving(r, "coup/"+c.Id, c, r.Creature(h.Source), "fortitude", 10+dealt, "coup de grace", nil, cite.DeathCoupSave).Success() {
		return
	}
	if gentle {
		body.Inflict(r, c.Id, &eventv1.Condition{Name: body.CondUnconscious, Cause: "coup de grace", Rule: cite.AttackCoupNonlethal})
		return
	}
	mending.Kill(r, c.Id, "coup de grace", cite.DeathCoupSave)
}
