package strike

import (
	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Medicine is the system's part in harm and healing; the injury service runs
// it. Hit points are the maximum less actual and temporary damage.
type Medicine struct{}

var _ rules.Medicine = Medicine{}

// Deed carries out harm, healing or another deed on a creature.
func (Medicine) Deed(r *rules.Resolution, h *eventv1.Harm) error {
	c := r.Creature(h.GetTarget())
	if c == nil {
		return fault.New(fault.NotFound, "UNKNOWN_CREATURE", "harm.target: there is no creature %q", h.GetTarget())
	}
	switch h.Deed {
	case body.DeedDamage:
		damage(r, h)
	case body.DeedHeal:
		if body.Dead(c) {
			return body.Refuse("DEAD", cite.DeathZeroHp, "%q is dead", h.Target)
		}
		heal(r, h.Target, h.Source, h.Cause, max(0, h.Amount))
	case body.DeedRecover:
		recoverTemporary(r, h.Target, max(0, h.Amount))
	default:
		return fault.Field("harm.deed", "there is no deed %q", h.Deed)
	}
	if body.Dead(r.Creature(h.Target)) {
		r.Result().Dead = true
	} else if body.Out(r.Creature(h.Target)) {
		r.Result().Down = true
	}
	return nil
}

// damage deals parts of actual and temporary damage; a part of another type is
// actual. Temporary damage never takes hit points below 0.
//
// original.injury.knocked-out-at-zero, original.death.zero-hp
func damage(r *rules.Resolution, h *eventv1.Harm) {
	c := r.Creature(h.Target)
	maximum := c.GetHpMax()
	actual, temporary := int32(c.Counters[body.CActual]), body.Nonlethal(c)
	var parts []*eventv1.DamagePart
	for _, p := range defended(r, h) {
		n, rolled := p.Taken, min(max(0, p.Rolled), 1_000_000)
		if p.Type == body.PartTemporary || h.Nature == "temporary" {
			room := max(0, maximum-actual-temporary)
			taken := min(n, room)
			temporary += taken
			parts = append(parts, &eventv1.DamagePart{Type: body.PartTemporary, Rolled: rolled, Taken: taken, Note: p.Note, Rule: cite.InjuryKnockedOutAtZero, Factors: p.Factors})
			continue
		}
		actual = min(maximum, actual+n)
		temporary = min(temporary, maximum-actual)
		parts = append(parts, &eventv1.DamagePart{Type: p.Type, Rolled: rolled, Taken: n, Note: p.Note, Rule: p.Rule, Factors: p.Factors})
	}
	taken := int32(0)
	for _, p := range parts {
		taken += p.Taken
	}
	r.Result().Taken = taken
	r.Emit(event.Controllers(h.Target), &eventv1.Damage{Target: h.Target, Source: h.Source, Cause: h.Cause, Parts: parts, Amount: taken,
		Critical: h.Critical, Nature: h.Nature}, cite.AttackResolutionOrder)
	setDamage(r, h.Target, actual, temporary, h.Cause)
	if !body.Dead(r.Creature(h.Target)) {
		settleLife(r, h.Target, h.Cause)
	}
}

// DamageTypes are the types of damage as content names them: damage that is actual or
// temporary is of a weapon or the body, or else of a spell.
var DamageTypes = []string{ofWeapon, ofSpell, "fire", "cold", "lightning", "acid", "poison", "holy"}

const (
	ofWeapon = "weapon"
	ofSpell  = "spell"
)

// defended are the parts of a damage with what content lets through of them.
func defended(r *rules.Resolution, h *eventv1.Harm) []*eventv1.DamagePart {
	out := make([]*eventv1.DamagePart, 0, len(h.Parts))
	for _, p := range h.Parts {
		out = append(out, &eventv1.DamagePart{Type: p.Type, Rolled: p.Rolled, Taken: min(max(0, p.Rolled), 1_000_000), Note: p.Note, Rule: p.Rule, Factors: p.Factors})
	}
	if !r.Content().Asks(effects.KindResistance) && !r.Content().Asks(effects.KindImmunity) {
		return out
	}
	kind := ofWeapon
	if h.Facts[factMagic] != "" {
		kind = ofSpell
	}
	for i, p := range h.Parts {
		if p.Type == body.PartActual || p.Type == body.PartTemporary || p.Type == "" {
			out[i].Type = kind
		}
	}
	house.Defends(r, r.Creature(h.Target), h.Source, out)
	for i, p := range h.Parts {
		out[i].Type = p.Type
	}
	return out
}

// setDamage sets the tally and the hit points that follow from it.
func setDamage(r *rules.Resolution, id string, actual, temporary int32, cause string) {
	c := r.Creature(id)
	r.Set(id, body.CActual, int64(actual), cause, cite.DeathZeroHp)
	r.Set(id, body.CTemporary, int64(temporary), cause, cite.InjuryKnockedOutAtZero)
	r.Set(id, body.OldTemporary, 0, cause)
	r.SetHitPoints(id, c.GetHpMax()-actual-temporary, c.GetHpMax(), c.GetHpTemp(), cite.InjuryKnockedOutAtZero)
}

// settleLife brings life in line with the damage: dead by actual damage,
// knocked out at 0, awake above it. Nothing here wakes the dead but hit points
// given by the game master.
//
// original.death.zero-hp, original.injury.knocked-out-at-zero, original.mass.slain-to-a-man
func settleLife(r *rules.Resolution, id, cause string) {
	c := r.Creature(id)
	status, rule := eventv1.LifeStatus_LIFE_STATUS_ALIVE, cite.InjuryKnockedOutAtZero
	switch {
	case c.Counters[body.CActual] >= int64(c.GetHpMax()) && body.IsUnit(c):
		status, rule = eventv1.LifeStatus_LIFE_STATUS_DEAD, body.SetMassSlain
		if !r.On(body.SetMassSlain) {
			status = eventv1.LifeStatus_LIFE_STATUS_UNCONSCIOUS
		}
	case c.Counters[body.CActual] >= int64(c.GetHpMax()):
		status, rule = eventv1.LifeStatus_LIFE_STATUS_DEAD, cite.DeathZeroHp
	case c.GetHp() <= 0:
		status = eventv1.LifeStatus_LIFE_STATUS_UNCONSCIOUS
	}
	was := c.Life
	if was == eventv1.LifeStatus_LIFE_STATUS_UNSPECIFIED {
		was = eventv1.LifeStatus_LIFE_STATUS_ALIVE
	}
	if was != status {
		r.Emit(event.Everyone(), &eventv1.LifeChanged{Creature: id, Status: status, Cause: cause}, rule)
	}
}

// heal gives back actual damage.
func heal(r *rules.Resolution, id, source, cause string, amount int32) {
	c := r.Creature(id)
	actual, temporary := int32(c.Counters[body.CActual]), body.Nonlethal(c)
	given := min(actual, amount)
	r.Emit(event.Controllers(id), &eventv1.Healing{Target: id, Source: source, Cause: cause, Offered: amount, Amount: given})
	setDamage(r, id, actual-given, temporary, cause)
	settleLife(r, id, cause)
}

// recoverTemporary gives back temporary damage: a point for each level or hit
// die in each Turn.
//
// original.healing.temporary-damage
func recoverTemporary(r *rules.Resolution, id string, turns int32) {
	c := r.Creature(id)
	if body.Dead(c) {
		return
	}
	actual, temporary := int32(c.Counters[body.CActual]), body.Nonlethal(c)
	given := int32(min(int64(temporary), int64(turns)*int64(body.LevelOf(c))))
	if given == 0 {
		return
	}
	r.Emit(event.Controllers(id), &eventv1.Healing{Target: id, Cause: "time", Offered: given, Amount: given}, cite.HealingTemporaryDamage)
	setDamage(r, id, actual, temporary-given, "time")
	settleLife(r, id, "time")
}

// Deeds lists what Tend knows.
func (Medicine) Deeds() []string { return []string{"harm", body.DeedHeal, "rest", body.DeedSet} }

// Tend carries out a deed between fights: "harm" and "heal" by amount, "rest"
// by turns, "set" to hit points.
func (Medicine) Tend(r *rules.Resolution, c *eventv1.PatientCommand) error {
	for _, id := range c.Patients {
		if err := tendOne(r, c, id); err != nil {
			return err
		}
	}
	return nil
}

func tendOne(r *rules.Resolution, c *eventv1.PatientCommand, id string) error {
	p := c.GetParameters()
	key := map[string]string{"rest": "turns", body.DeedSet: "hit_points"}[c.Deed]
	if key == "" {
		key = "amount"
	}
	n, ok := spoken.Number(p, key)
	if !ok {
		return fault.Field("command.patient.parameters."+key, "must be a whole number from 0")
	}
	cause := c.Item
	if cause == "" {
		cause = c.Deed
	}
	switch c.Deed {
	case "harm":
		kind := body.PartActual
		if v, said := p.GetFields()["type"]; said {
			kind = v.GetStringValue()
		}
		damage(r, &eventv1.Harm{Deed: body.DeedDamage, Target: id, Source: c.User, Cause: cause, Parts: []*eventv1.DamagePart{{Type: kind, Rolled: n}}})
	case body.DeedHeal:
		return Medicine{}.Deed(r, &eventv1.Harm{Deed: body.DeedHeal, Target: id, Source: c.User, Cause: cause, Amount: n})
	case "rest":
		recoverTemporary(r, id, n)
	case body.DeedSet:
		if n > r.Creature(id).GetHpMax() {
			return fault.Field("command.patient.parameters.hit_points", "at most %d", r.Creature(id).GetHpMax())
		}
		r.Set(id, body.CTemporary, 0, cause)
		r.Set(id, body.OldTemporary, 0, cause)
		r.SetHitPoints(id, n, r.Creature(id).GetHpMax(), 0)
		SettleBody(r, id)
	}
	return nil
}
