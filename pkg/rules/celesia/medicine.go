package celesia

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Medicine is the system's part in harm and healing; the injury service runs it.
type Medicine struct{}

// deedTemporary sets the temporary hit points to its amount.
const deedTemporary = "temporary-hit-points"

// Deed carries out harm, healing or another deed on a creature.
func (Medicine) Deed(r *rules.Resolution, h *eventv1.Harm) error {
	c := r.Creature(h.Target)
	if c == nil {
		return fault.New(fault.NotFound, "UNKNOWN_CREATURE", "harm.target: there is no creature %q", h.Target)
	}
	if dead(c) {
		// celesia.death.raised-by-magic: nothing weaker works on the dead.
		r.Note(event.Everyone(), c.Id, c.Name+" is dead: no effect", cite.DeathRaisedByMagic)
		r.Return(resDead, 1)
		return nil
	}
	before := c.GetHp()
	if err := carryOut(r, h); err != nil {
		return err
	}
	tell(r, h.Target, before)
	return nil
}

func carryOut(r *rules.Resolution, h *eventv1.Harm) error {
	switch h.Deed {
	case deedDamage:
		dealDamage(r, h)
	case deedCoup:
		coup(r, h)
	case deedHeal:
		heal(r, h.Target, h.Source, h.Cause, h.Amount, h.Facts["via"] != "")
	case deedStrain:
		exert(r, h.Target, h.Amount, h.Cause)
	case deedTurnStart:
		turnStart(r, h.Target)
	case deedFirstAid:
		firstAid(r, h)
	case deedStaunch:
		staunch(r, h)
	case deedRestore:
		return restore(r, h.Target, h.Facts["injury"])
	case deedRegrow:
		return regrow(r, h.Target, h.Facts["injury"])
	case deedConstitution:
		r.Set(h.Target, cConstitution, max(0, r.Count(h.Target, cConstitution)+int64(h.Amount)), h.Cause, cite.DeathConstitutionZero)
		settleBody(r, h.Target, h.Amount > 0)
	case deedTemporary:
		c := r.Creature(h.Target)
		r.SetHitPoints(h.Target, c.GetHp(), c.GetHpMax(), max(0, h.Amount), cite.AttackMartialPower)
	case deedSettle:
		settleBody(r, h.Target, false)
	default:
		return fault.Field("harm.deed", "%q is not one of %v", h.Deed, append(Medicine{}.Deeds(), deedCoup, deedTurnStart, deedStrain, deedFirstAid, deedStaunch, deedTemporary, deedSettle))
	}
	return nil
}

// tell hands back what a deed came to.
func tell(r *rules.Resolution, id string, before int32) {
	c := r.Creature(id)
	if lost := before - c.GetHp(); lost > 0 {
		r.Return(resTaken, lost)
	} else {
		r.Return(resHealed, -lost)
	}
	for name, yes := range map[string]bool{resDead: dead(c), resDown: down(c), resStable: c.Life == eventv1.LifeStatus_LIFE_STATUS_STABLE} { // order-free: each result has its own name
		if yes {
			r.Return(name, 1)
		}
	}
}

// band is the life status that hit points and Constitution come to.
//
// celesia.injury.hp-bands
func band(hp, con int32, scored bool) eventv1.LifeStatus {
	switch {
	case hp > 0:
		return eventv1.LifeStatus_LIFE_STATUS_ALIVE
	case !scored:
		return eventv1.LifeStatus_LIFE_STATUS_DEAD
	case hp > -con:
		return eventv1.LifeStatus_LIFE_STATUS_DISABLED
	case hp > -2*con:
		return eventv1.LifeStatus_LIFE_STATUS_DYING
	}
	return eventv1.LifeStatus_LIFE_STATUS_DEAD
}

// settleBody brings life and conditions in line with the numbers. A stable
// creature stays so unless it was hurt.
//
// celesia.injury.hp-bands, celesia.death.constitution-zero, celesia.death.stable-broken-by-damage,
// celesia.condition.staggered-by-nonlethal, celesia.condition.staggered-ends,
// celesia.condition.unconscious-by-nonlethal, celesia.injury.disabled-to-dying,
// celesia.injury.disabled-while-recovering, celesia.mount.rider-dropped
//
// What a caster has left to cast is a counter that nothing here touches.
//
// celesia.healing.spellcaster-retains, celesia.condition.nonlethal-caster-retains
func settleBody(r *rules.Resolution, id string, hurt bool) {
	c := r.Creature(id)
	if dead(c) || c.Hp == nil {
		return
	}
	con, scored := constitution(c)
	life := band(c.GetHp(), con, scored)
	rule, cause := cite.InjuryHpBands, "hit points"
	tally := c.Counters[cNonlethal] + c.Counters[cBurn]
	out := tally > 0 && tally > int64(c.GetHp())
	switch {
	case scored && con <= 0:
		life, rule, cause = eventv1.LifeStatus_LIFE_STATUS_DEAD, cite.DeathConstitutionZero, "no Constitution is left"
	case life == eventv1.LifeStatus_LIFE_STATUS_DYING && c.Life == eventv1.LifeStatus_LIFE_STATUS_STABLE && !hurt:
		life = eventv1.LifeStatus_LIFE_STATUS_STABLE
	case life == eventv1.LifeStatus_LIFE_STATUS_ALIVE && out, life == eventv1.LifeStatus_LIFE_STATUS_DISABLED && out:
		life, rule, cause = eventv1.LifeStatus_LIFE_STATUS_UNCONSCIOUS, cite.ConditionUnconsciousByNonlethal, "nonlethal damage"
	}
	setLife(r, id, life, cause, rule)
	c = r.Creature(id)
	if dead(c) {
		return
	}
	keep(r, id, condUnconscious, "hit points", cite.DeathDyingUnconscious, down(c))
	if down(c) && mountOf(c) == "" { // who stays in the saddle does not lie
		setProne(r, id, "unconscious", cite.DeathDyingUnconscious)
	}
	staggered := tally > 0 && !down(c) && 2*tally >= int64(c.GetHp())
	keep(r, id, condStaggered, "nonlethal damage", cite.ConditionStaggeredByNonlethal, staggered)
	settleInjuries(r, id)
}

// setLife emits a life status when it is new. Whoever is no longer stable is no
// longer tended.
func setLife(r *rules.Resolution, id string, life eventv1.LifeStatus, cause, rule string) {
	if r.Creature(id).Life == life {
		return
	}
	r.Emit(event.Everyone(), &eventv1.LifeChanged{Creature: id, Status: life, Cause: cause}, rule)
	if life != eventv1.LifeStatus_LIFE_STATUS_STABLE {
		r.Mark(id, mTended, "", cite.RestTendedStableRecovery)
	}
}

func kill(r *rules.Resolution, id, cause, rule string) {
	setLife(r, id, eventv1.LifeStatus_LIFE_STATUS_DEAD, cause, rule)
}

// exert deals the damage that acting costs a disabled creature: temporary hit
// points take it first, and no injury can be had in its place (a reading).
//
// celesia.injury.disabled-strain
func exert(r *rules.Resolution, id string, points int32, cause string) {
	c := r.Creature(id)
	soaked := min(points, c.GetHpTemp())
	if soaked > 0 {
		r.SetHitPoints(id, c.GetHp(), c.GetHpMax(), c.GetHpTemp()-soaked, cite.InjuryDisabledStrain)
	}
	loseHitPoints(r, id, points-soaked, cite.InjuryDisabledStrain, cause)
}

// loseHitPoints takes hit points for which nothing can be had in their place.
//
// celesia.injury.disabled-strain, celesia.death.dying-loss
func loseHitPoints(r *rules.Resolution, id string, points int32, rule, cause string) {
	c := r.Creature(id)
	if points <= 0 {
		return
	}
	r.Emit(event.Controllers(id), &eventv1.Damage{Target: id, Cause: cause, Amount: points, Nature: "loss"}, rule)
	r.SetHitPoints(id, c.GetHp()-points, c.GetHpMax(), c.GetHpTemp(), rule)
	settleBody(r, id, false)
}

// heal gives hit points back; the size of the cure also comes off the
// nonlethal tally, never off burn. Healing by magic ends bleeding (a reading).
//
// celesia.healing.any-cure-stabilizes, celesia.healing.into-disabled-band,
// celesia.healing.above-zero-restores, celesia.healing.nonlethal-with-cures
func heal(r *rules.Resolution, id, source, cause string, amount int32, magic bool) {
	if amount <= 0 {
		return
	}
	c := r.Creature(id)
	hp := max(c.GetHp(), min(c.GetHpMax(), c.GetHp()+amount))
	r.Emit(event.Controllers(id), &eventv1.Healing{Target: id, Source: source, Cause: cause, Offered: amount, Amount: hp - c.GetHp()},
		cite.HealingAboveZeroRestores)
	r.SetHitPoints(id, hp, c.GetHpMax(), c.GetHpTemp())
	r.Set(id, cNonlethal, max(0, r.Count(id, cNonlethal)-int64(amount)), cause, cite.HealingNonlethalWithCures)
	if magic {
		r.Set(id, cBleed, 0, cause, cite.InjuryHandSevered)
	}
	stabilise(r, id, cause, cite.HealingAnyCureStabilizes, true)
	settleBody(r, id, false)
	if magic && r.Creature(id).Life == eventv1.LifeStatus_LIFE_STATUS_STABLE && r.On(optTended) {
		r.Mark(id, mTended, "yes", optTended) // it may have been stable, and untended, before
	}
	if feature(c, featRegeneration) && hp >= c.GetHpMax() {
		for _, in := range slices.Clone(r.Creature(id).Injuries) {
			removeInjury(r, id, in, "regeneration", cite.HealingCripplingRegeneration)
		}
		settleInjuries(r, id)
	}
}

// stabilise ends the bleeding out of a dying creature.
//
// celesia.rest.tended-stable-recovery, celesia.death.untended-stable-danger
func stabilise(r *rules.Resolution, id, cause, rule string, tended bool) {
	if !dying(r.Creature(id)) {
		return
	}
	setLife(r, id, eventv1.LifeStatus_LIFE_STATUS_STABLE, cause, rule)
	switch {
	case tended && r.On(optTended):
		r.Mark(id, mTended, "yes", optTended)
	case !tended && r.On(optUntended):
		r.Note(event.GM(), id, r.Creature(id).Name+" is stable and untended: still in danger", optUntended)
	}
}

// cContinuous is continuous damage other than bleeding, such as that of an acid
// arrow, in hit points at the start of each turn: whoever causes it sets and
// ends it.
const cContinuous = "continuous"

// lasting tells whether a creature is under continuous damage.
//
// celesia.death.stabilize-continuous-damage
func lasting(c *eventv1.Creature) bool {
	return c.Counters[cBleed] > 0 && !immune(c, immuneBleed) || c.Counters[cContinuous] > 0
}

// bodySuffers tells whether the start of a turn brings anything to a body.
//
// celesia.death.stabilize-save, celesia.death.stabilize-continuous-damage, celesia.injury.head-daze
func bodySuffers(c *eventv1.Creature) bool {
	return !dead(c) && (dying(c) || lasting(c) || injuries(c, "head", "", false) >= 5)
}

// turnStart is what a turn brings to a body: continuous damage, then the
// stabilising save, then the daze of five head injuries.
//
// celesia.death.stabilize-continuous-damage, celesia.injury.head-daze
func turnStart(r *rules.Resolution, id string) {
	hurting := lasting(r.Creature(id))
	if n := int32(r.Count(id, cBleed)); n > 0 && !immune(r.Creature(id), immuneBleed) {
		dealDamage(r, &eventv1.Harm{Deed: deedDamage, Target: id, Cause: "bleeding", Parts: []*eventv1.DamagePart{{Type: "bleed", Rolled: n}}})
	}
	if n := int32(r.Count(id, cContinuous)); n > 0 && !dead(r.Creature(id)) {
		dealDamage(r, &eventv1.Harm{Deed: deedDamage, Target: id, Cause: "continuous damage", Parts: []*eventv1.DamagePart{{Type: "continuous", Rolled: n}}})
	}
	if c := r.Creature(id); dying(c) {
		save(r, id, hurting)
	}
	c := r.Creature(id)
	if dead(c) || down(c) || injuries(c, "head", "", false) < 5 {
		return
	}
	rolled := r.Roll(rules.RollSpec{Label: "daze/" + id, Creature: id, Expression: "1d100", Reason: "daze of head injuries", Rules: []string{cite.InjuryHeadDaze}})
	if rolled.Total <= 50 {
		r.AddCondition(id, &eventv1.Condition{Name: condDazed, Cause: "head injuries", Until: untilStart(id), Rule: cite.InjuryHeadDaze})
	}
}

// save is the Fortitude save of a dying creature against DC 0, at half of what
// its hit points are below 0. Under continuous damage it fails unrolled.
//
// celesia.death.stabilize-save, celesia.death.stabilize-failure-loss, celesia.death.dying-loss
func save(r *rules.Resolution, id string, bleeding bool) {
	c := r.Creature(id)
	if !bleeding {
		rolled := d20{label: "stabilise/" + id, creature: id, reason: "stabilise", edges: edgesOf(c, nil, rollKind{roll: rollSave, name: "fortitude"}),
			modifiers: nonzero(mod(saveBonus(c, "fortitude"), "fortitude", ""), mod(c.GetHp()/2, "hit points below 0", cite.DeathStabilizeSave)),
			target:    &eventv1.TargetNumber{Kind: "DC", Value: 0},
			judge: func(natural, total int32) (string, int32) {
				if natural == 20 || total >= 0 {
					return "success", 0
				}
				return "failure", 0
			}, rules: []string{cite.DeathStabilizeSave}}.roll(r)
		if rolled.Success() {
			stabilise(r, id, "saving throw", cite.DeathStabilizeSave, false)
			return
		}
	}
	loseHitPoints(r, id, 1, cite.DeathStabilizeFailureLoss, "bleeding out")
}

// firstAid is a Heal check against DC 10, at the full amount by which the
// patient's hit points are below 0.
//
// celesia.healing.heal-check-stabilizes
func firstAid(r *rules.Resolution, h *eventv1.Harm) {
	c, healer := r.Creature(h.Target), r.Creature(h.Source)
	if healer == nil || !dying(c) {
		r.Note(event.Everyone(), h.Target, "there is nothing to stabilise", cite.HealingHealCheckStabilizes)
		return
	}
	rolled := rollSkillCheck(r, "first-aid", healer, rollKind{name: "heal"}, 10, "first aid",
		[]*eventv1.Modifier{mod(min(0, c.GetHp()), "hit points of the patient", cite.HealingHealCheckStabilizes)}, nil, cite.HealingHealCheckStabilizes)
	if rolled.Success() {
		stabilise(r, h.Target, "first aid", cite.HealingHealCheckStabilizes, true)
	}
}

// staunch ends bleeding with a Heal check against DC 15 (a reading).
//
// celesia.injury.hand-severed
func staunch(r *rules.Resolution, h *eventv1.Harm) {
	healer := r.Creature(h.Source)
	if healer == nil || r.Count(h.Target, cBleed) == 0 {
		r.Note(event.Everyone(), h.Target, "nothing bleeds", cite.InjuryHandSevered)
		return
	}
	if rollSkillCheck(r, "staunch", healer, rollKind{name: "heal"}, 15, "staunch bleeding", nil, nil, cite.InjuryHandSevered).Success() {
		r.Set(h.Target, cBleed, 0, "staunched", cite.InjuryHandSevered)
	}
}
