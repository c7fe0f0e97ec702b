package play

import (
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Deeds that PlainHarm knows.
const (
	// DeedDamage takes hit points: the sum of the parts.
	DeedDamage = "damage"
	// DeedHeal gives hit points back: the amount.
	DeedHeal = "heal"
	// DeedRest, between fights, gives all hit points back.
	DeedRest = "rest"
)

// PlainHarm is harm and healing of systems that know hit points and nothing else:
// at 0 of them a creature has fallen.
type PlainHarm struct {
	// Fallen is what a creature at 0 hit points is.
	Fallen eventv1.LifeStatus
	// DamageRule, HealRule and FallRule are the rule ids behind it; may be empty.
	DamageRule, HealRule, FallRule string
}

// Deed carries out damage or healing.
func (h PlainHarm) Deed(r *rules.Resolution, harm *eventv1.Harm) error {
	c := r.Creature(harm.Target)
	if c == nil {
		return fault.Field("harm.target", "there is no creature %q", harm.Target)
	}
	switch harm.Deed {
	case DeedDamage:
		h.damage(r, c, harm)
	case DeedHeal:
		h.heal(r, c, harm.Source, harm.Cause, harm.Amount)
	default:
		return fault.Field("harm.deed", "%q is neither %s nor %s", harm.Deed, DeedDamage, DeedHeal)
	}
	return nil
}

func (h PlainHarm) damage(r *rules.Resolution, c *eventv1.Creature, harm *eventv1.Harm) {
	d := &eventv1.Damage{Target: c.Id, Source: harm.Source, Cause: harm.Cause, Critical: harm.Critical, Nature: harm.Nature}
	for _, p := range harm.Parts {
		d.Parts = append(d.Parts, &eventv1.DamagePart{Type: p.Type, Rolled: p.Rolled, Taken: max(0, p.Rolled)})
		d.Amount += max(0, p.Rolled)
	}
	hp := max(0, c.GetHp()-d.Amount)
	r.Result().Taken = c.GetHp() - hp
	r.Emit(event.Everyone(), d, cited(h.DamageRule)...)
	r.SetHitPoints(c.Id, hp, c.GetHpMax(), c.GetHpTemp(), cited(h.DamageRule)...)
	if hp == 0 && c.Life == eventv1.LifeStatus_LIFE_STATUS_ALIVE {
		r.Result().Down, r.Result().Dead = true, h.Fallen == eventv1.LifeStatus_LIFE_STATUS_DEAD
		r.Emit(event.Everyone(), &eventv1.LifeChanged{Creature: c.Id, Status: h.Fallen, Cause: harm.Cause}, cited(h.FallRule)...)
	}
}

func (h PlainHarm) heal(r *rules.Resolution, c *eventv1.Creature, source, cause string, amount int32) {
	if c.Life == eventv1.LifeStatus_LIFE_STATUS_DEAD {
		return
	}
	hp := min(c.GetHpMax(), c.GetHp()+max(0, amount))
	r.Result().Healed = hp - c.GetHp()
	r.Emit(event.Everyone(), &eventv1.Healing{Target: c.Id, Source: source, Cause: cause, Offered: amount, Amount: hp - c.GetHp()}, cited(h.HealRule)...)
	r.SetHitPoints(c.Id, hp, c.GetHpMax(), c.GetHpTemp(), cited(h.HealRule)...)
	if hp > 0 && c.Life != eventv1.LifeStatus_LIFE_STATUS_ALIVE {
		r.Result().Woke = true
		r.Emit(event.Everyone(), &eventv1.LifeChanged{Creature: c.Id, Status: eventv1.LifeStatus_LIFE_STATUS_ALIVE, Cause: cause}, cited(h.HealRule)...)
	}
}

// Deeds are those between fights.
func (PlainHarm) Deeds() []string { return []string{DeedRest} }

// Tend carries out a rest.
func (h PlainHarm) Tend(r *rules.Resolution, cmd *eventv1.PatientCommand) error {
	for _, id := range cmd.Patients {
		c := r.Creature(id)
		h.heal(r, c, cmd.User, DeedRest, c.GetHpMax()-c.GetHp())
	}
	return nil
}

// cited is a rule id as Emit takes it: none when it is empty.
func cited(rule string) []string {
	if rule == "" {
		return nil
	}
	return []string{rule}
}
