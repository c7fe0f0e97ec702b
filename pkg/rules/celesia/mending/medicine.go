package mending

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// DeedTemporary sets the temporary hit points to its amount.
const DeedTemporary = "temporary-hit-points"

// Tell hands back what a deed came to.
func Tell(r *rules.Resolution, id string, before int32) {
	c := r.Creature(id)
	res := r.Result()
	if lost := before - c.GetHp(); lost > 0 {
		res.Taken = lost
	} else {
		res.Healed = -lost
	}
	res.Dead, res.Down, res.Stable = body.Dead(c), body.Down(c), c.Life == eventv1.LifeStatus_LIFE_STATUS_STABLE
}

// Band is the life status that hit points and Constitution come to.
//
// celesia.injury.hp-bands
func Band(hp, con int32, scored bool) eventv1.LifeStatus {
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

// SettleBody brings life and conditions in line with the numbers. A stable
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
func SettleBody(r *rules.Resolution, id string, hurt bool) {
	c := r.Creature(id)
	if body.Dead(c) {
		return
	}
	con, scored := body.Constitution(c)
	life := Band(c.GetHp(), con, scored)
	rule, cause := cite.InjuryHpBands, "hit points"
	tally := c.Counters[body.CNonlethal] + c.Counters[body.CBurn]
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
	if body.Dead(c) {
		return
	}
	body.Keep(r, id, body.CondUnconscious, "hit points", cite.DeathDyingUnconscious, body.Down(c))
	if body.Down(c) && body.MountOf(c) == "" { // who stays in the saddle does not lie
		body.SetProne(r, id, "unconscious", cite.DeathDyingUnconscious)
	}
	staggered := tally > 0 && !body.Down(c) && 2*tally >= int64(c.GetHp())
	body.Keep(r, id, body.CondStaggered, "nonlethal damage", cite.ConditionStaggeredByNonlethal, staggered)
	body.SettleInjuries(r, id)
}

// setLife emits a life status when it is new. Whoever is no longer stable is no
// longer tended.
func setLife(r *rules.Resolution, id string, life eventv1.LifeStatus, cause, rule string) {
	if r.Creature(id).Life == life {
		return
	}
	r.Emit(event.Everyone(), &eventv1.LifeChanged{Creature: id, Status: life, Cause: cause}, rule)
	if life != eventv1.LifeStatus_LIFE_STATUS_STABLE {
		r.Mark(id, body.MTended, "", cite.RestTendedStableRecovery)
	}
}

// Kill makes a creature dead, whatever its hit points; nothing happens to one that
// is.
func Kill(r *rules.Resolution, id, cause, rule string) {
	setLife(r, id, eventv1.LifeStatus_LIFE_STATUS_DEAD, cause, rule)
}

// Exert deals the damage that acting costs a disabled creature: temporary hit
// points take it first, and no injury can be had in its place (a reading).
//
// celesia.injury.disabled-strain
func Exert(r *rules.Resolution, id string, points int32, cause string) {
	c := r.Creature(id)
	soaked := min(points, c.GetHpTemp())
	if soaked > 0 {
		r.SetHitPoints(id, c.GetHp(), c.GetHpMax(), c.GetHpTemp()-soaked, cite.InjuryDisabledStrain)
	}
	LoseHitPoints(r, id, points-soaked, cite.InjuryDisabledStrain, cause)
}

// LoseHitPoints takes hit points for which nothing can be had in their place.
//
// celesia.injury.disabled-strain, celesia.death.dying-loss
func LoseHitPoints(r *rules.Resolution, id string, points int32, rule, cause string) {
	c := r.Creature(id)
	if points <= 0 {
		return
	}
	r.Emit(event.Controllers(id), &eventv1.Damage{Target: id, Cause: cause, Amount: points, Nature: "loss"}, rule)
	r.SetHitPoints(id, c.GetHp()-points, c.GetHpMax(), c.GetHpTemp(), rule)
	SettleBody(r, id, false)
}

// Heal gives hit points back; the size of the cure also comes off the
// nonlethal tally, never off burn. Healing by magic ends bleeding (a reading).
//
// celesia.healing.any-cure-stabilizes, celesia.healing.into-disabled-band,
// celesia.healing.above-zero-restores, celesia.healing.nonlethal-with-cures
func Heal(r *rules.Resolution, id, source, cause string, amount int32, magic bool) {
	if amount <= 0 {
		return
	}
	c := r.Creature(id)
	hp := max(c.GetHp(), min(c.GetHpMax(), c.GetHp()+amount))
	r.Emit(event.Controllers(id), &eventv1.Healing{Target: id, Source: source, Cause: cause, Offered: amount, Amount: hp - c.GetHp()},
		cite.HealingAboveZeroRestores)
	r.SetHitPoints(id, hp, c.GetHpMax(), c.GetHpTemp())
	r.Set(id, body.CNonlethal, max(0, r.Count(id, body.CNonlethal)-int64(amount)), cause, cite.HealingNonlethalWithCures)
	if magic {
		r.Set(id, body.CBleed, 0, cause, cite.InjuryHandSevered)
	}
	Stabilise(r, id, cause, cite.HealingAnyCureStabilizes, true)
	SettleBody(r, id, false)
	if magic && r.Creature(id).Life == eventv1.LifeStatus_LIFE_STATUS_STABLE && r.On(body.OptTended) {
		r.Flag(id, body.MTended, true, body.OptTended) // it may have been stable, and untended, before
	}
	if body.Feature(c, body.FeatRegeneration) && hp >= c.GetHpMax() {
		for _, in := range r.Creature(id).Injuries {
			body.RemoveInjury(r, id, in, "regeneration", cite.HealingCripplingRegeneration)
		}
		body.SettleInjuries(r, id)
	}
}

// Stabilise ends the bleeding out of a dying creature.
//
// celesia.rest.tended-stable-recovery, celesia.death.untended-stable-danger
func Stabilise(r *rules.Resolution, id, cause, rule string, tended bool) {
	if !Dying(r.Creature(id)) {
		return
	}
	setLife(r, id, eventv1.LifeStatus_LIFE_STATUS_STABLE, cause, rule)
	switch {
	case tended && r.On(body.OptTended):
		r.Flag(id, body.MTended, true, body.OptTended)
	case !tended && r.On(body.OptUntended):
		r.Note(event.GM(), id, r.Creature(id).Name+" is stable and untended: still in danger", body.OptUntended)
	}
}

// CContinuous is continuous damage other than bleeding, such as that of an acid
// arrow, in hit points at the start of each turn: whoever causes it sets and
// ends it.
const CContinuous = "continuous"

// Lasting tells whether a creature is under continuous damage.
//
// celesia.death.stabilize-continuous-damage
func Lasting(c *eventv1.Creature) bool {
	return c.Counters[body.CBleed] > 0 && !body.Immune(c, body.ImmuneBleed) || c.Counters[CContinuous] > 0
}

// BodySuffers tells whether the start of a turn brings anything to a body.
//
// celesia.death.stabilize-save, celesia.death.stabilize-continuous-damage, celesia.injury.head-daze
func BodySuffers(c *eventv1.Creature) bool {
	return !body.Dead(c) && (Dying(c) || Lasting(c) || body.Injuries(c, "head", "", false) >= 5)
}
