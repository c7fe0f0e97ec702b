package injury

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	"github.com/skaldrpg/skald/pkg/rules/celesia/mending"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Medicine is the system's part in harm and healing; the injury service runs it.
type Medicine struct{}

// Deed carries out harm, healing or another deed on a creature.
func (Medicine) Deed(r *rules.Resolution, h *eventv1.Harm) error {
	c := r.Creature(h.Target)
	if c == nil {
		return fault.New(fault.NotFound, "UNKNOWN_CREATURE", "harm.target: there is no creature %q", h.Target)
	}
	if body.Dead(c) {
		// celesia.death.raised-by-magic: nothing weaker works on the dead.
		r.Note(event.Everyone(), c.Id, c.Name+" is dead: no effect", cite.DeathRaisedByMagic)
		r.Result().Dead = true
		return nil
	}
	before := c.GetHp()
	if err := carryOut(r, h); err != nil {
		return err
	}
	mending.Tell(r, h.Target, before)
	return nil
}

// behind is the rule behind a deed: that of content which has it done, else the
// book's.
func behind(h *eventv1.Harm, rule string) string {
	if by := h.Facts[mending.FactRule]; by != "" {
		return by
	}
	return rule
}

func carryOut(r *rules.Resolution, h *eventv1.Harm) error {
	switch h.Deed {
	case body.DeedDamage:
		dealDamage(r, h)
	case body.DeedCoup:
		coup(r, h)
	case body.DeedHeal:
		mending.Heal(r, h.Target, h.Source, h.Cause, h.Amount, h.Facts["via"] != "")
	case body.DeedStrain:
		mending.Exert(r, h.Target, h.Amount, h.Cause)
	case body.DeedTurnStart:
		turnStart(r, h.Target)
	case body.DeedFirstAid:
		firstAid(r, h)
	case body.DeedStaunch:
		staunch(r, h)
	case body.DeedRestore:
		return restore(r, h.Target, h.Facts["injury"])
	case body.DeedRegrow:
		return regrow(r, h.Target, h.Facts["injury"])
	case mending.DeedConstitution:
		r.Set(h.Target, body.CConstitution, max(0, r.Count(h.Target, body.CConstitution)+int64(h.Amount)), h.Cause, cite.DeathConstitutionZero)
		mending.SettleBody(r, h.Target, h.Amount > 0)
	case mending.DeedTemporary:
		c := r.Creature(h.Target)
		r.SetHitPoints(h.Target, c.GetHp(), c.GetHpMax(), max(0, h.Amount), behind(h, cite.AttackMartialPower))
	case body.DeedCripple:
		crippleBy(r, h)
	case body.DeedBleed:
		r.Set(h.Target, body.CBleed, r.Count(h.Target, body.CBleed)+int64(max(0, h.Amount)), h.Cause, behind(h, cite.InjuryHandSevered))
	case body.DeedSettle:
		mending.SettleBody(r, h.Target, false)
	default:
		return fault.Field("harm.deed", "%q is not one of %v", h.Deed, append(Medicine{}.Deeds(), body.DeedCoup, body.DeedTurnStart, body.DeedStrain, body.DeedFirstAid, body.DeedStaunch, body.DeedCripple, body.DeedBleed, mending.DeedTemporary, body.DeedSettle))
	}
	return nil
}

// turnStart is what a turn brings to a body: continuous damage, then the
// stabilising save, then the daze of five head injuries.
//
// celesia.death.stabilize-continuous-damage, celesia.injury.head-daze
func turnStart(r *rules.Resolution, id string) {
	hurting := mending.Lasting(r.Creature(id))
	if n := int32(r.Count(id, body.CBleed)); n > 0 && !body.Immune(r.Creature(id), body.ImmuneBleed) {
		dealDamage(r, &eventv1.Harm{Deed: body.DeedDamage, Target: id, Cause: "bleeding", Parts: []*eventv1.DamagePart{{Type: "bleed", Rolled: n}}})
	}
	if n := int32(r.Count(id, mending.CContinuous)); n > 0 && !body.Dead(r.Creature(id)) {
		dealDamage(r, &eventv1.Harm{Deed: body.DeedDamage, Target: id, Cause: "continuous damage", Parts: []*eventv1.DamagePart{{Type: "continuous", Rolled: n}}})
	}
	if c := r.Creature(id); mending.Dying(c) {
		save(r, id, hurting)
	}
	c := r.Creature(id)
	if body.Dead(c) || body.Down(c) || body.Injuries(c, "head", "", false) < 5 {
		return
	}
	rolled := r.Roll(rules.RollSpec{Label: "daze/" + id, Creature: id, Expression: "1d100", Reason: "daze of head injuries", Rules: []string{cite.InjuryHeadDaze}})
	if rolled.Total <= 50 {
		body.Inflict(r, id, &eventv1.Condition{Name: body.CondDazed, Cause: "head injuries", Until: checks.UntilStart(id), Rule: cite.InjuryHeadDaze})
	}
}

// save is the Fortitude save of a dying creature against DC 0, at half of what
// its hit points are below 0. Under continuous damage it fails unrolled.
//
// celesia.death.stabilize-save, celesia.death.stabilize-failure-loss, celesia.death.dying-loss
func save(r *rules.Resolution, id string, bleeding bool) {
	c := r.Creature(id)
	if !bleeding {
		rolled := checks.D20{Label: "stabilise/" + id, Creature: id, Reason: "stabilise", Edges: strike.EdgesOf(r.Content(), c, nil, body.RollKind{Roll: checks.RollSave, Name: "fortitude"}),
			Modifiers: body.Nonzero(body.Mod(body.SaveBonus(c, "fortitude"), "fortitude", cite.DeathStabilizeSave), body.Mod(c.GetHp()/2, "hit points below 0", cite.DeathStabilizeSave)),
			Target:    &eventv1.TargetNumber{Kind: "DC", Value: 0},
			Judge: func(natural, total int32) (string, int32) {
				if natural == 20 || total >= 0 {
					return "success", 0
				}
				return "failure", 0
			}, Rules: []string{cite.DeathStabilizeSave}, Point: house.PointSave + "/fortitude", Env: effects.Env{Target: c}}.Roll(r)
		if rolled.Success() {
			mending.Stabilise(r, id, "saving throw", cite.DeathStabilizeSave, false)
			return
		}
	}
	mending.LoseHitPoints(r, id, 1, cite.DeathStabilizeFailureLoss, "bleeding out")
}

// firstAid is a Heal check against DC 10, at the full amount by which the
// patient's hit points are below 0.
//
// celesia.healing.heal-check-stabilizes
func firstAid(r *rules.Resolution, h *eventv1.Harm) {
	c, healer := r.Creature(h.Target), r.Creature(h.Source)
	if healer == nil || !mending.Dying(c) {
		r.Note(event.Everyone(), h.Target, "there is nothing to stabilise", cite.HealingHealCheckStabilizes)
		return
	}
	rolled := strike.RollSkillCheck(r, "first-aid", healer, heals(h), 10, "first aid",
		[]*eventv1.Modifier{body.Mod(min(0, c.GetHp()), "hit points of the patient", cite.HealingHealCheckStabilizes)}, h.Circumstances, cite.HealingHealCheckStabilizes)
	if rolled.Success() {
		mending.Stabilise(r, h.Target, "first aid", cite.HealingHealCheckStabilizes, true)
	}
}

// heals is the check of whoever treats a patient, with the tool that is stated.
//
// celesia.dice.dis-broken-tool
func heals(h *eventv1.Harm) body.RollKind {
	return body.RollKind{Name: "heal", Broken: h.Facts[checks.FactBroken] != ""}
}

// staunch ends bleeding with a Heal check against DC 15 (a reading).
//
// celesia.injury.hand-severed
func staunch(r *rules.Resolution, h *eventv1.Harm) {
	healer := r.Creature(h.Source)
	if healer == nil || r.Count(h.Target, body.CBleed) == 0 {
		r.Note(event.Everyone(), h.Target, "nothing bleeds", cite.InjuryHandSevered)
		return
	}
	if strike.RollSkillCheck(r, "staunch", healer, heals(h), 15, "staunch bleeding", nil, h.Circumstances, cite.InjuryHandSevered).Success() {
		r.Set(h.Target, body.CBleed, 0, "staunched", cite.InjuryHandSevered)
	}
}
