package rcr

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

const (
	// decDeathInspiration asks the dying creature's player whether to spend
	// inspiration instead of rolling a death save.
	decDeathInspiration = "death-save-inspiration"
	// condSuffocating is the condition of whoever has no air left.
	condSuffocating = "suffocating"
	// mostExhaustion is the highest level that can be lived with.
	mostExhaustion = 10
)

// diesAtZero tells whether a creature dies at 0 hit points without death
// saves: a monster that wounds do not touch, unless the table plays otherwise.
func diesAtZero(r *rules.Resolution, c *eventv1.Creature) bool {
	return !character(c) && r.On(setMonstersDie) && !woundsTouch(r, c) && !outlasts(c)
}

// bringDown brings a creature down: unconscious and dying.
func bringDown(r *rules.Resolution, id, cause string) {
	r.Set(id, cDeathExhaustion, r.Count(id, cExhaustion)+1, cause, cite.DeathSecretSaves)
	r.Emit(event.Everyone(), &eventv1.LifeChanged{Creature: id, Status: eventv1.LifeStatus_LIFE_STATUS_DYING, Cause: cause},
		cite.BaseDeathSaveFrame)
	if !has(r.Creature(id), condUnconscious) {
		r.AddCondition(id, &eventv1.Condition{Name: condUnconscious, Cause: unconsciousFrom0, Rule: cite.BaseDeathSaveFrame})
	}
}

// unconsciousFrom0 is the cause of the condition that waking ends.
const unconsciousFrom0 = "0 hit points"

// die kills a creature. Its exhaustion is no secret any more.
//
// rcr.death.secret-saves
func die(r *rules.Resolution, id, cause string, ruleIDs ...string) {
	if dead(r.Creature(id)) {
		return
	}
	r.Emit(event.Everyone(), &eventv1.LifeChanged{Creature: id, Status: eventv1.LifeStatus_LIFE_STATUS_DEAD, Cause: cause}, ruleIDs...)
	r.Mark(id, mKilled, cause)
	showExhaustion(r, id)
}

// openExhaustion is the exhaustion of a creature as the table knows it: of one
// that is down, what it came down with. All rolls and numbers that others see
// go by it, lest they tell how the death saves came out.
//
// rcr.death.secret-saves
func openExhaustion(c *eventv1.Creature) int64 {
	if known := c.GetCounters()[cDeathExhaustion]; known > 0 && down(c) {
		return known - 1
	}
	return c.GetCounters()[cExhaustion]
}

// showExhaustion tells the owner the exhaustion gained unseen while down, and
// gives back the inspiration that was spent in vain.
//
// rcr.death.secret-saves
func showExhaustion(r *rules.Resolution, id string) {
	r.Set(id, cDeathExhaustion, 0, "no secret any more", cite.DeathSecretSaves)
	if r.Count(id, cDeathInspiration) > 0 {
		r.Set(id, cDeathInspiration, 0, "no secret any more", cite.DeathSecretSaves)
		r.Set(id, cInspiration, 1, "spent in vain", cite.DeathSecretSaves)
	}
	if n := r.Count(id, cExhaustion); n > 0 {
		r.Emit(r.Audience(rules.FactCounter, cExhaustion, id),
			&eventv1.CounterSet{Subject: id, Counter: cExhaustion, Value: n, Was: n, Cause: "no secret any more"}, cite.DeathSecretSaves)
	}
}

// wake ends dying and what goes with it: the tally is cleared, exhaustion shown.
//
// rcr.base.death-save-frame, rcr.injury.wounds-outlast-revival
func wake(r *rules.Resolution, id, cause string) {
	clearTally(r, id, cause)
	r.Emit(event.Everyone(), &eventv1.LifeChanged{Creature: id, Status: eventv1.LifeStatus_LIFE_STATUS_ALIVE, Cause: cause},
		cite.BaseDeathSaveFrame)
	for _, x := range slices.Clone(r.Creature(id).Conditions) {
		if x.Name == condUnconscious && x.Cause == unconsciousFrom0 {
			r.RemoveCondition(id, x, cause, cite.BaseDeathSaveFrame)
		}
	}
	r.Set(id, cStableHours, 0, cause)
	if !suffocates(r.Creature(id)) {
		r.Set(id, cSuffocating, 0, cause)
	}
	showExhaustion(r, id)
}

func clearTally(r *rules.Resolution, id, cause string) {
	r.Set(id, cDeathStable, 0, cause)
	r.Set(id, cDeathSuccesses, 0, cause, cite.BaseDeathSaveFrame)
	r.Set(id, cDeathFailures, 0, cause, cite.BaseDeathSaveFrame)
}

// stabilise ends the dying but not the unconsciousness. Reached by death saves
// it stays the game master's secret.
//
// rcr.base.death-save-frame, rcr.death.secret-saves
func stabilise(r *rules.Resolution, id, cause string, secret bool) {
	clearTally(r, id, cause)
	audience := event.Everyone()
	if secret {
		audience = event.GM()
		r.Set(id, cDeathStable, 1, cause, cite.DeathSecretSaves)
	}
	r.Emit(audience, &eventv1.LifeChanged{Creature: id, Status: eventv1.LifeStatus_LIFE_STATUS_STABLE, Cause: cause},
		cite.BaseDeathSaveFrame)
}

// hitWhileDown marks what damage at 0 hit points costs: one failure, two from
// a critical hit; who was stable is dying again.
//
// rcr.base.death-save-frame
func hitWhileDown(r *rules.Resolution, id string, critical bool) {
	if r.Creature(id).Life == eventv1.LifeStatus_LIFE_STATUS_STABLE {
		audience := event.Everyone()
		if r.Count(id, cDeathStable) > 0 {
			audience = event.GM() // the others never heard that it was stable
		}
		r.Set(id, cDeathStable, 0, "damage at 0 hit points")
		r.Emit(audience, &eventv1.LifeChanged{Creature: id, Status: eventv1.LifeStatus_LIFE_STATUS_DYING,
			Cause: "damage at 0 hit points"}, cite.BaseDeathSaveFrame)
	}
	n := int64(1)
	if critical {
		n = 2
	}
	markFailures(r, id, n, false)
}

// markFailures marks failed death saves and the exhaustion they bring: a level
// for each failure marked or, by the table's choice, for each failed roll.
//
// rcr.death.failure-exhaustion
func markFailures(r *rules.Resolution, id string, n int64, rolled bool) {
	const why = "death save"
	failures := min(3, r.Count(id, cDeathFailures)+n)
	r.Set(id, cDeathFailures, failures, why, cite.BaseDeathSaveFrame, cite.DeathSecretSaves)
	if r.Value(setExhaustionFailure) == "rolled" {
		n = 0
		if rolled {
			n = 1
		}
	}
	exhaust(r, id, n, why, cite.DeathFailureExhaustion)
	if failures >= 3 {
		die(r, id, "failed death saves", cite.BaseDeathSaveFrame)
	}
}

// exhaust adds levels of exhaustion, but to the immune; beyond 10 the creature dies.
//
// rcr.condition.exhaustion-scale
func exhaust(r *rules.Resolution, id string, n int64, cause string, ruleIDs ...string) {
	if n > 0 && named(sheetOf(r.Creature(id)).ConditionImmunities, cExhaustion) {
		return
	}
	level := max(0, min(mostExhaustion+1, r.Count(id, cExhaustion)+n))
	r.Set(id, cExhaustion, level, cause, append(ruleIDs, cite.ConditionExhaustionScale)...)
	if level > mostExhaustion {
		die(r, id, "exhaustion", cite.ConditionExhaustionScale)
	}
}

// deathSave makes the death save of a turn, in the game master's secret.
// Inspiration may be spent instead of rolling. It returns whether the creature
// woke by a natural 20.
//
// rcr.base.death-save-frame, rcr.death.secret-saves, rcr.death.inspiration-auto-success
func deathSave(r *rules.Resolution, id string) (woke bool) {
	if inspiredSave(r, id) {
		markSuccess(r, id)
		return false
	}
	c := r.Creature(id)
	rolled := d20{label: "death-save", creature: c, reason: "death save", audience: event.GM(), secret: true,
		modifiers: changeMods(r, "death-save", c, event.GM(), chSave),
		edges:     append(saveEdges(r.State(), c, "", "death", nil), spendHeld(r, c, forSave)...), target: difficulty(10), judge: judgeDeathSave,
		rules: []string{cite.BaseDeathSaveFrame, cite.DeathSecretSaves}}.roll(r)
	switch rolled.Outcome {
	case "critical":
		c = r.Creature(id)
		r.SetHitPoints(id, max(1, c.GetHp()), c.GetHpMax(), c.GetHpTemp(), cite.BaseDeathSaveFrame)
		setBloodied(r, id)
		if suffocates(c) {
			return false // without air nobody wakes
		}
		wake(r, id, "natural 20")
		return true
	case "success":
		markSuccess(r, id)
	case "fumble":
		markFailures(r, id, 2, true)
	default:
		markFailures(r, id, 1, true)
	}
	return false
}

// inspiredSave asks whoever has inspiration whether to spend it in place of a
// death save, and spends it. Whoever is stable in secret is asked like one that
// is dying, and spends it: not to be asked, or to keep it, would tell.
//
// rcr.death.inspiration-auto-success, rcr.death.secret-saves
func inspiredSave(r *rules.Resolution, id string) bool {
	const rule = cite.DeathInspirationAutoSuccess
	if !r.On(rule) || r.Count(id, cInspiration) < 1 {
		return false
	}
	d := rules.YesNo(decDeathInspiration, id, "death save", "Spend inspiration to succeed on this death save without rolling?", "no", rule)
	if r.Ask(decDeathInspiration, d).Option != "yes" {
		return false
	}
	r.Set(id, cInspiration, r.Count(id, cInspiration)-1, "death save", rule)
	return true
}

// vainSave has one who is stable in secret spend what the dying would on a death
// save. It has that back when it wakes or dies.
//
// rcr.death.secret-saves, rcr.death.inspiration-auto-success
func vainSave(r *rules.Resolution, id string) {
	if inspiredSave(r, id) || len(spendHeld(r, r.Creature(id), forSave)) > 0 {
		r.Set(id, cDeathInspiration, 1, "stable in secret", cite.DeathSecretSaves)
	}
}

// stableInSecret tells whether a creature is stable and only the game master
// knows.
//
// rcr.death.secret-saves
func stableInSecret(c *eventv1.Creature) bool {
	return c.GetLife() == eventv1.LifeStatus_LIFE_STATUS_STABLE && c.Counters[cDeathStable] > 0
}

// judgeDeathSave reads natural 1 and 20 off the die as it shows.
func judgeDeathSave(natural, total int32) (string, int32) {
	switch {
	case natural == 20:
		return "critical", 0
	case natural == 1:
		return "fumble", 0
	case total >= 10:
		return "success", 0
	}
	return "failure", 0
}

func markSuccess(r *rules.Resolution, id string) {
	n := r.Count(id, cDeathSuccesses) + 1
	r.Set(id, cDeathSuccesses, min(3, n), "death save", cite.BaseDeathSaveFrame, cite.DeathSecretSaves)
	if n >= 3 {
		stabilise(r, id, "death saves", true)
	}
}

// suffocates tells whether a creature has no air: by the condition, or limp
// from disabled paralysis.
//
// rcr.condition.paralyzed-disabled, rcr.underwater.suffocating-no-stabilize
func suffocates(c *eventv1.Creature) bool { return !sheetOf(c).Breathless && airless(c) }

// airless tells whether a creature would have no air if it needed any.
func airless(c *eventv1.Creature) bool {
	return slices.ContainsFunc(c.GetConditions(), func(x *eventv1.Condition) bool {
		return x.Name == condSuffocating || x.Name == condParalyzed && x.Variant == variantDisabled
	})
}

// suffocate makes the saving throw of a turn without air: Constitution against
// DC 5, 5 more each time. Who fails is unconscious and dying, whatever hit
// points are left (reading), and makes no death save in that turn. Air ends it.
//
// rcr.condition.paralyzed-disabled, rcr.underwater.suffocating-save,
// rcr.underwater.suffocating-escalation, rcr.underwater.suffocating-unconscious
func suffocate(r *rules.Resolution, id string) (fell bool) {
	c := r.Creature(id)
	switch {
	case dead(c) || down(c):
		return false
	case !suffocates(c):
		r.Set(id, cSuffocating, 0, "breathes again", cite.ConditionParalyzedDisabled)
		return false
	}
	n := c.Counters[cSuffocating] + 1
	r.Set(id, cSuffocating, n, "no air", cite.ConditionParalyzedDisabled)
	rolled := d20{label: "suffocation", creature: c, reason: "Constitution saving throw against suffocation",
		modifiers: append([]*eventv1.Modifier{mod(saveBonus(c, "constitution"), "Constitution", "")},
			changeMods(r, "suffocation", c, nil, saveKinds("constitution")...)...),
		edges:  append(saveEdges(r.State(), c, "constitution", "suffocation", nil), spendHeld(r, c, forSave)...),
		target: difficulty(5 * int32(min(n, 1000))),
		rules:  []string{cite.ConditionParalyzedDisabled}}.roll(r)
	if rolled.Success() {
		return false
	}
	bringDown(r, id, "suffocation")
	return true
}
