package mending

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	"github.com/skaldrpg/skald/pkg/rules/basic/strike"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
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
	if body.Dead(c) {
		return body.Refuse("DEAD", cite.DeathZeroHp, "%q is dead", h.Target)
	}
	switch h.Deed {
	case body.DeedDamage:
		damage(r, h)
	case body.DeedHeal:
		heal(r, h.Target, h.Source, h.Cause, h.Amount)
	case body.DeedCondition:
		lay(r, h.Target, h.Facts["effect"], h.Cause)
	case body.DeedWake:
		Wake(r, h.Target, max(1, c.GetHp()), h.Cause)
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
		part := &eventv1.DamagePart{Type: p.Type, Rolled: p.Rolled, Taken: max(0, p.Rolled), Rule: p.Rule, Factors: p.Factors}
		if p.Type == strike.Fire && strike.Fireproof(c) {
			part.Taken, part.Note, part.Rule = 0, "immunity", cite.ItemOilFireImmunity
		}
		parts = append(parts, part)
	}
	defend(r, h, parts)
	for _, p := range parts {
		amount, rolled = amount+p.Taken, rolled+max(0, p.Rolled)
	}
	nature := h.Nature
	if body.Unconscious(c) {
		nature = ""
	}
	if rolled > 0 {
		r.Emit(event.Controllers(h.Target), &eventv1.Damage{Target: h.Target, Source: h.Source, Cause: h.Cause, Parts: parts, Amount: amount,
			Critical: h.Critical, Nature: nature}, cite.DamageRoll)
	}
	r.Result().Taken = amount
	switch {
	case amount > 0 && body.Unconscious(c) && h.Facts["together"] == rules.Yes:
		// It fell on the very number of this blow: basic.initiative.ties-simultaneous.
	case amount > 0 && body.Unconscious(c):
		die(r, h.Target, h.Cause, cite.InjuryUnconsciousLethal)
		return
	case amount > 0:
		if nature == strike.Nonlethal {
			r.Set(h.Target, body.CNonlethal, r.Count(h.Target, body.CNonlethal)+int64(amount), h.Cause, cite.InjurySubdualZero)
		}
		r.SetHitPoints(h.Target, max(0, c.GetHp()-amount), c.GetHpMax(), 0, cite.DamageRoll)
		if r.Creature(h.Target).GetHp() == 0 {
			Fall(r, h.Target, h.Cause)
		}
	}
	if !body.Dead(r.Creature(h.Target)) {
		lay(r, h.Target, h.Facts["effect"], h.Cause)
	}
}

// Fall settles having no hit points: death, or unconsciousness for one who took
// some damage that was not meant to kill.
//
// basic.death.zero-hp, basic.injury.subdual-zero, basic.healing.subdual-wake
func Fall(r *rules.Resolution, id, cause string) {
	if r.Count(id, body.CNonlethal) == 0 {
		die(r, id, cause, cite.DeathZeroHp)
		return
	}
	r.Emit(event.Everyone(), &eventv1.LifeChanged{Creature: id, Status: eventv1.LifeStatus_LIFE_STATUS_UNCONSCIOUS, Cause: cause}, cite.InjurySubdualZero)
	turns := r.Count(id, body.CWakeTurns)
	if turns == 0 { // it does not lie there since an earlier fight
		turns = int64(r.Roll(rules.RollSpec{Label: "wake/" + id, Creature: id, Expression: "1d4", Reason: "turns until awake",
			Rules: []string{cite.HealingSubdualWake}}).Total)
	}
	r.Set(id, body.CWakeTurns, turns, "knocked out", cite.HealingSubdualWake)
	r.Set(id, body.CWake, int64(r.State().Round)+turns*body.TurnRounds(r), "knocked out", cite.HealingSubdualWake)
	r.Result().Down = true
}

func die(r *rules.Resolution, id, cause, rule string) {
	r.Emit(event.Everyone(), &eventv1.LifeChanged{Creature: id, Status: eventv1.LifeStatus_LIFE_STATUS_DEAD, Cause: cause}, rule)
	r.Set(id, body.CWake, 0, "dead")
	r.Set(id, body.CWakeTurns, 0, "dead")
	r.Result().Dead = true
}

// lay puts the condition of a critical hit or a spell on a creature; the same
// condition twice does not double.
//
// basic.critical.effect-chart
func lay(r *rules.Resolution, id, name, cause string) {
	own := r.Content().Cite(effects.Conditions, name)
	if name == "" || !slices.Contains(body.Conditions, name) && own.Rule == "" || body.Has(r.Creature(id), name) || house.KeepsOff(r, r.Creature(id), name) {
		return
	}
	x := &eventv1.Condition{Name: name, Cause: cause, Rule: own.Rule}
	if d := body.Book.Conditions.Find(name); d != nil {
		x.Rule = d.Rule
	}
	r.AddCondition(id, x)
	house.Brings(r, id, x)
}

// DamageTypes are the types of damage as content names them: damage of no type is of a
// weapon or the body, or else of a spell or a magic item.
var DamageTypes = []string{ofWeapon, ofSpell, strike.Fire, strike.Holy, "cold", "lightning", "acid", "poison"}

const (
	ofWeapon = "weapon"
	ofSpell  = "spell"
)

// defend changes the parts of a damage by what content keeps off or lets through.
func defend(r *rules.Resolution, h *eventv1.Harm, parts []*eventv1.DamagePart) {
	if !r.Content().Asks(effects.KindResistance) && !r.Content().Asks(effects.KindImmunity) {
		return
	}
	kind := ofWeapon
	if h.Facts[strike.FactMagic] != "" {
		kind = ofSpell
	}
	var untyped []*eventv1.DamagePart
	for _, p := range parts {
		if p.Type == "" {
			p.Type, untyped = kind, append(untyped, p)
		}
	}
	house.Defends(r, r.Creature(h.Target), h.Source, parts)
	for _, p := range untyped {
		p.Type = ""
	}
}

// heal gives hit points back, up to the maximum. At the maximum nothing of the
// damage that was not meant to kill is left.
//
// basic.injury.subdual-zero
func heal(r *rules.Resolution, id, source, cause string, amount int32) {
	c := r.Creature(id)
	hp := min(c.GetHpMax(), c.GetHp()+max(0, amount))
	r.Emit(event.Controllers(id), &eventv1.Healing{Target: id, Source: source, Cause: cause, Offered: amount, Amount: hp - c.GetHp()})
	if body.Unconscious(c) && hp > 0 {
		Wake(r, id, hp, cause)
	} else {
		r.SetHitPoints(id, hp, c.GetHpMax(), 0)
	}
	if hp == c.GetHpMax() {
		r.Set(id, body.CNonlethal, 0, "unhurt", cite.InjurySubdualZero)
	}
}

// Wake brings an unconscious creature round with hit points.
//
// basic.healing.subdual-wake
func Wake(r *rules.Resolution, id string, hp int32, cause string) {
	c := r.Creature(id)
	r.SetHitPoints(id, hp, c.GetHpMax(), 0, cite.HealingSubdualWake)
	r.Set(id, body.CWake, 0, cause)
	r.Set(id, body.CWakeTurns, 0, cause)
	if body.Unconscious(c) {
		r.Emit(event.Everyone(), &eventv1.LifeChanged{Creature: id, Status: eventv1.LifeStatus_LIFE_STATUS_ALIVE, Cause: cause}, cite.HealingSubdualWake)
	}
}
