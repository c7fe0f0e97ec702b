package mending

import (
	"github.com/skaldrpg/skald/pkg/content/spark/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	"github.com/skaldrpg/skald/pkg/rules/spark/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Damage takes hit points off; at 0 the creature is out.
//
// spark.dice.drop-to-zero, spark.dice.rounding
func Damage(r *rules.Resolution, h *eventv1.Harm) {
	c := r.Creature(h.Target)
	if body.Out(c) {
		r.Note(event.Everyone(), h.Target, "out already: nothing more happens to it", cite.DiceDropToZero)
		return
	}
	var parts []*eventv1.DamagePart
	for _, p := range h.Parts {
		parts = append(parts, &eventv1.DamagePart{Type: p.Type, Rolled: p.Rolled, Taken: max(0, p.Rolled), Note: p.Note, Rule: p.Rule, Factors: p.Factors})
	}
	house.Defends(r, c, h.Source, parts)
	total := int32(0)
	for _, p := range parts {
		total += p.Taken
	}
	temp := c.GetHpTemp()
	soaked := min(temp, total)
	left := max(0, c.GetHp()-(total-soaked))
	r.Emit(event.Controllers(c.Id), &eventv1.Damage{Target: c.Id, Source: h.Source, Cause: h.Cause, Parts: parts, Amount: total,
		Soaked: soaked, Critical: h.Critical, Nature: h.Nature}, cite.DiceDropToZero)
	r.SetHitPoints(c.Id, left, c.GetHpMax(), temp-soaked, cite.DiceDropToZero)
	SettleLife(r, c.Id, h.Cause)
	r.Result().Taken = total
}

// Heal gives hit points back, never above the maximum. Magical healing ends
// sprains, broken bones and pulled muscles.
//
// spark.healing.two-ways, spark.fumble.sprain-wrist, spark.fumble.wrist-breaks,
// spark.fumble.alt-pulled-arms, spark.fumble.alt-pulled-legs
func Heal(r *rules.Resolution, h *eventv1.Harm) {
	c := r.Creature(h.Target)
	if body.Dead(c) {
		r.Note(event.Everyone(), h.Target, "dead: not to be healed", cite.DiceDropToZero)
		return
	}
	hp := min(c.GetHpMax(), c.GetHp()+h.Amount)
	gained := hp - c.GetHp()
	r.Emit(event.Controllers(c.Id), &eventv1.Healing{Target: c.Id, Source: h.Source, Cause: h.Cause, Offered: h.Amount, Amount: gained},
		cite.HealingTwoWays)
	r.SetHitPoints(c.Id, hp, c.GetHpMax(), c.GetHpTemp(), cite.DiceDropToZero)
	SettleLife(r, c.Id, h.Cause)
	if h.Facts["magical"] == rules.Yes {
		endInjuries(r, c.Id, "magical healing", body.InjurySprain, body.InjuryBreak, body.InjuryBone, body.InjuryArms, body.InjuryLegs)
	}
	r.Result().Healed = gained
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

// KnownInjury tells whether a fight can give an injury of a kind: those of the document
// and those of packs.
func KnownInjury(own *effects.Book, kind string) bool {
	return InjuryRules[kind] != "" || own.Entry(effects.Injuries, kind) != nil
}

// InjuryRules are the kinds of injuries that a fight gives, with their rules.
var InjuryRules = map[string]string{body.InjurySprain: cite.FumbleSprainWrist, body.InjuryBreak: cite.FumbleWristBreaks,
	body.InjuryArms: cite.FumbleAltPulledArms, body.InjuryLegs: cite.FumbleAltPulledLegs, body.InjurySnap: cite.FumbleAltOuch}

// Injure gives an injury. A second sprain or break of a limb changes nothing, a
// muscle pulled again begins its rests anew, and what snaps adds up.
//
// spark.fumble.sprain-wrist, spark.fumble.wrist-breaks, spark.fumble.alt-pulled-arms,
// spark.fumble.alt-pulled-legs, spark.fumble.alt-ouch
func Injure(r *rules.Resolution, h *eventv1.Harm, kind string) {
	c, in := r.Creature(h.Target), &eventv1.Injury{Kind: kind, Cause: h.Cause, Rule: InjuryRules[kind]}
	if in.Rule == "" { // one of a pack: once for each part of the body
		in.Rule, in.Side = r.Content().Cite(effects.Injuries, kind).Rule, h.Facts["limb"]
		if !body.Injured(c, kind, in.Side) {
			r.AddInjury(h.Target, in)
		}
		return
	}
	switch kind {
	case body.InjuryArms, body.InjuryLegs:
		endInjuries(r, h.Target, "pulled again", kind)
		in.Part, in.Values = map[string]string{body.InjuryArms: "upper body", body.InjuryLegs: "leg"}[kind], map[string]int32{"long_rests": 0}
	case body.InjurySnap:
		in.Part, in.Side, in.Amount, in.Permanent = "natural weapon", h.Facts["limb"], h.Amount, true
	default:
		if body.Injured(c, kind, h.Facts["limb"]) {
			return
		}
		in.Part, in.Side = "wrist", h.Facts["limb"]
		if kind == body.InjuryBreak {
			in.Values = map[string]int32{"set": 0, "saves": 0}
		}
	}
	r.AddInjury(h.Target, in)
}
