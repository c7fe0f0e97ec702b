package spark

import (
	"github.com/skaldrpg/skald/pkg/content/spark/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Medicine is the system's part in harm and healing; the injury service runs it.
type Medicine struct{}

var _ rules.Medicine = Medicine{}

// Deed carries out harm or healing in a fight: damage, heal, injure. It hands
// back taken, healed and out.
func (Medicine) Deed(r *rules.Resolution, h *eventv1.Harm) error {
	if r.Creature(h.GetTarget()) == nil {
		return fault.New(fault.NotFound, "UNKNOWN_CREATURE", "harm.target: there is no creature %q", h.GetTarget())
	}
	switch h.Deed {
	case deedDamage:
		damage(r, h)
	case deedHeal:
		if h.Amount < 0 {
			return fault.Field("harm.amount", "%d is less than 0", h.Amount)
		}
		heal(r, h)
	case deedInjure:
		if kind := h.Facts["kind"]; injuryRules[kind] == "" {
			return fault.Field("harm.facts[kind]", "%q is not one of %v", kind, rules.SortedKeys(injuryRules))
		}
		injure(r, h, h.Facts["kind"])
	default:
		return fault.Field("harm.deed", "there is no deed %q", h.Deed)
	}
	if out(r.Creature(h.Target)) {
		r.Return(resOut, 1)
	}
	return nil
}

// damage takes hit points off; at 0 the creature is out.
//
// spark.dice.drop-to-zero, spark.dice.rounding
func damage(r *rules.Resolution, h *eventv1.Harm) {
	c := r.Creature(h.Target)
	if out(c) {
		r.Note(event.Everyone(), h.Target, "out already: nothing more happens to it", cite.DiceDropToZero)
		return
	}
	var parts []*eventv1.DamagePart
	total := int32(0)
	for _, p := range h.Parts {
		taken := max(0, p.Rolled)
		total += taken
		parts = append(parts, &eventv1.DamagePart{Type: p.Type, Rolled: p.Rolled, Taken: taken, Note: p.Note, Rule: p.Rule})
	}
	temp := c.GetHpTemp()
	soaked := min(temp, total)
	left := max(0, c.GetHp()-(total-soaked))
	r.Emit(event.Controllers(c.Id), &eventv1.Damage{Target: c.Id, Source: h.Source, Cause: h.Cause, Parts: parts, Amount: total,
		Soaked: soaked, Critical: h.Critical, Nature: h.Nature}, cite.DiceDropToZero)
	r.SetHitPoints(c.Id, left, c.GetHpMax(), temp-soaked, cite.DiceDropToZero)
	settleLife(r, c.Id, h.Cause)
	r.Return(resTaken, total)
}

// heal gives hit points back, never above the maximum. Magical healing ends
// sprains, broken bones and pulled muscles.
//
// spark.healing.two-ways, spark.fumble.sprain-wrist, spark.fumble.wrist-breaks,
// spark.fumble.alt-pulled-arms, spark.fumble.alt-pulled-legs
func heal(r *rules.Resolution, h *eventv1.Harm) {
	c := r.Creature(h.Target)
	if dead(c) {
		r.Note(event.Everyone(), h.Target, "dead: not to be healed", cite.DiceDropToZero)
		return
	}
	hp := min(c.GetHpMax(), c.GetHp()+h.Amount)
	gained := hp - c.GetHp()
	r.Emit(event.Controllers(c.Id), &eventv1.Healing{Target: c.Id, Source: h.Source, Cause: h.Cause, Offered: h.Amount, Amount: gained},
		cite.HealingTwoWays)
	r.SetHitPoints(c.Id, hp, c.GetHpMax(), c.GetHpTemp(), cite.DiceDropToZero)
	settleLife(r, c.Id, h.Cause)
	if h.Facts["magical"] != "" {
		endInjuries(r, c.Id, "magical healing", injurySprain, injuryBreak, injuryBone, injuryArms, injuryLegs)
	}
	r.Return(resHealed, gained)
}

// endInjuries removes the injuries of some kinds.
func endInjuries(r *rules.Resolution, id, cause string, kinds ...string) {
	for _, in := range append([]*eventv1.Injury(nil), r.Creature(id).Injuries...) {
		for _, kind := range kinds {
			if in.Kind == kind {
				r.Emit(r.Audience(rules.FactInjury, kind, id), &eventv1.InjuryRemoved{Creature: id, Id: in.Id, Cause: cause}, in.Rule)
			}
		}
	}
}

// injuryRules are the kinds of injuries that a fight gives, with their rules.
var injuryRules = map[string]string{injurySprain: cite.FumbleSprainWrist, injuryBreak: cite.FumbleWristBreaks,
	injuryArms: cite.FumbleAltPulledArms, injuryLegs: cite.FumbleAltPulledLegs, injurySnap: cite.FumbleAltOuch}

// injure gives an injury. A second sprain or break of a limb changes nothing, a
// muscle pulled again begins its rests anew, and what snaps adds up.
//
// spark.fumble.sprain-wrist, spark.fumble.wrist-breaks, spark.fumble.alt-pulled-arms,
// spark.fumble.alt-pulled-legs, spark.fumble.alt-ouch
func injure(r *rules.Resolution, h *eventv1.Harm, kind string) {
	c, in := r.Creature(h.Target), &eventv1.Injury{Kind: kind, Cause: h.Cause, Rule: injuryRules[kind]}
	switch kind {
	case injuryArms, injuryLegs:
		endInjuries(r, h.Target, "pulled again", kind)
		in.Part, in.Values = map[string]string{injuryArms: "upper body", injuryLegs: "leg"}[kind], map[string]int32{"long_rests": 0}
	case injurySnap:
		in.Part, in.Side, in.Amount, in.Permanent = "natural weapon", h.Facts["limb"], h.Amount, true
	default:
		if injured(c, kind, h.Facts["limb"]) {
			return
		}
		in.Part, in.Side = "wrist", h.Facts["limb"]
		if kind == injuryBreak {
			in.Values = map[string]int32{"set": 0, "saves": 0}
		}
	}
	r.AddInjury(h.Target, in)
}
