package injuries

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	"github.com/skaldrpg/skald/pkg/rules/rcr/dice"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// diesAtZero tells whether a creature dies at 0 hit points without death
// saves: a monster that wounds do not touch, unless the table plays otherwise.
func diesAtZero(r *rules.Resolution, c *eventv1.Creature) bool {
	return !character(c) && r.On(body.SetMonstersDie) && !WoundsTouch(r, c) && !outlasts(c)
}

// BringDown brings a creature down: unconscious and dying.
func BringDown(r *rules.Resolution, id, cause string) {
	r.Set(id, body.CDeathExhaustion, r.Count(id, body.CExhaustion)+1, cause, cite.DeathSecretSaves)
	r.Emit(event.Everyone(), &eventv1.LifeChanged{Creature: id, Status: eventv1.LifeStatus_LIFE_STATUS_DYING, Cause: cause},
		cite.BaseDeathSaveFrame)
	if !body.Has(r.Creature(id), body.CondUnconscious) {
		r.AddCondition(id, &eventv1.Condition{Name: body.CondUnconscious, Cause: UnconsciousFrom0, Rule: cite.BaseDeathSaveFrame})
	}
}

// UnconsciousFrom0 is the cause of the condition that waking ends.
const UnconsciousFrom0 = "0 hit points"

// Die kills a creature. Its exhaustion is no secret any more.
//
// rcr.death.secret-saves
func Die(r *rules.Resolution, id, cause string, ruleIDs ...string) {
	if body.Dead(r.Creature(id)) {
		return
	}
	r.Emit(event.Everyone(), &eventv1.LifeChanged{Creature: id, Status: eventv1.LifeStatus_LIFE_STATUS_DEAD, Cause: cause}, ruleIDs...)
	r.Mark(id, body.MKilled, cause)
	showExhaustion(r, id)
}

// showExhaustion tells the owner the exhaustion gained unseen while down, and
// gives back the inspiration that was spent in vain.
//
// rcr.death.secret-saves
func showExhaustion(r *rules.Resolution, id string) {
	r.Set(id, body.CDeathExhaustion, 0, "no secret any more", cite.DeathSecretSaves)
	if r.Count(id, body.CDeathInspiration) > 0 {
		r.Set(id, body.CDeathInspiration, 0, "no secret any more", cite.DeathSecretSaves)
		r.Set(id, body.CInspiration, 1, "spent in vain", cite.DeathSecretSaves)
	}
	if n := r.Count(id, body.CExhaustion); n > 0 {
		r.Emit(r.Audience(rules.FactCounter, body.CExhaustion, id),
			&eventv1.CounterSet{Subject: id, Counter: body.CExhaustion, Value: n, Was: n, Cause: "no secret any more"}, cite.DeathSecretSaves)
	}
}

// Wake ends dying and what goes with it: the tally is cleared, exhaustion shown.
//
// rcr.base.death-save-frame, rcr.injury.wounds-outlast-revival
func Wake(r *rules.Resolution, id, cause string) {
	clearTally(r, id, cause)
	r.Emit(event.Everyone(), &eventv1.LifeChanged{Creature: id, Status: eventv1.LifeStatus_LIFE_STATUS_ALIVE, Cause: cause},
		cite.BaseDeathSaveFrame)
	for _, x := range r.Creature(id).Conditions {
		if x.Name == body.CondUnconscious && x.Cause == UnconsciousFrom0 {
			r.RemoveCondition(id, x, cause, cite.BaseDeathSaveFrame)
		}
	}
	r.Set(id, body.CStableHours, 0, cause)
	if !Suffocates(r.Creature(id)) {
		r.Set(id, body.CSuffocating, 0, cause)
	}
	showExhaustion(r, id)
}

func clearTally(r *rules.Resolution, id, cause string) {
	r.Set(id, body.CDeathStable, 0, cause)
	r.Set(id, body.CDeathSuccesses, 0, cause, cite.BaseDeathSaveFrame)
	r.Set(id, body.CDeathFailures, 0, cause, cite.BaseDeathSaveFrame)
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
		r.Set(id, body.CDeathStable, 1, cause, cite.DeathSecretSaves)
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
		if r.Count(id, body.CDeathStable) > 0 {
			audience = event.GM() // the others never heard that it was stable
		}
		r.Set(id, body.CStableHours, 0, "damage at 0 hit points") // made stable again, its hours begin anew
		r.Set(id, body.CDeathStable, 0, "damage at 0 hit points")
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
	failures := min(3, r.Count(id, body.CDeathFailures)+n)
	r.Set(id, body.CDeathFailures, failures, why, cite.BaseDeathSaveFrame, cite.DeathSecretSaves)
	if r.Value(body.SetExhaustionFailure) == "rolled" {
		n = 0
		if rolled {
			n = 1
		}
	}
	Exhaust(r, id, n, why, cite.DeathFailureExhaustion)
	if failures >= 3 {
		Die(r, id, "failed death saves", cite.BaseDeathSaveFrame)
	}
}

// Exhaust adds levels of exhaustion, but to the immune; beyond 10 the creature dies.
//
// rcr.condition.exhaustion-scale
func Exhaust(r *rules.Resolution, id string, n int64, cause string, ruleIDs ...string) {
	if n > 0 && body.Named(body.SheetOf(r.Creature(id)).ConditionImmunities, body.CExhaustion) {
		return
	}
	level := max(0, min(checks.MostExhaustion+1, r.Count(id, body.CExhaustion)+n))
	r.Set(id, body.CExhaustion, level, cause, append(ruleIDs, cite.ConditionExhaustionScale)...)
	if level > checks.MostExhaustion {
		Die(r, id, "exhaustion", cite.ConditionExhaustionScale)
	}
}

// deathSave makes the death save of a turn, in the game master's secret.
// Inspiration may be spent instead of rolling. It returns whether the creature
// woke by a natural 20.
//
// rcr.base.death-save-frame, rcr.death.secret-saves, rcr.death.inspiration-auto-success,
// rcr.underwater.drowning-death-saves
func deathSave(r *rules.Resolution, id string) (woke bool) {
	if body.Drowns(r.State(), r.Creature(id)) {
		markFailures(r, id, 1, true) // nothing is rolled, and nothing that could be spent helps
		return false
	}
	if inspiredSave(r, id) {
		markSuccess(r, id)
		return false
	}
	c := r.Creature(id)
	env := effects.Env{Target: c, Roll: effects.Roll{Point: body.PointDeathSave}}
	rolled := dice.D20{Label: "death-save", Creature: c, Reason: "death save", Audience: event.GM(), Secret: true, Point: body.PointDeathSave, Env: env,
		Modifiers: append(dice.ChangeMods(r, "death-save", c, event.GM(), body.ChSave), house.Mods(r, "death-save", c, event.GM(), body.PointDeathSave, env)...),
		Edges:     slices.Concat(dice.SaveEdges(r.State(), c, "", "death", nil), house.Edges(r, c, body.PointDeathSave, env), dice.SpendHeld(r, c, body.ForSave)), Target: dice.Difficulty(10), Judge: judgeDeathSave,
		Rules: []string{cite.BaseDeathSaveFrame, cite.DeathSecretSaves}}.Roll(r)
	switch rolled.Outcome {
	case "critical":
		c = r.Creature(id)
		r.SetHitPoints(id, max(1, c.GetHp()), c.GetHpMax(), c.GetHpTemp(), cite.BaseDeathSaveFrame)
		SetBloodied(r, id)
		if Suffocates(c) {
			return false // without air nobody wakes
		}
		Wake(r, id, "natural 20")
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
	if !r.On(rule) || r.Count(id, body.CInspiration) < 1 {
		return false
	}
	d := rules.YesNo(checks.DecDeathInspiration, id, "death save", "Spend inspiration to succeed on this death save without rolling?", "no", rule)
	if r.Ask(checks.DecDeathInspiration, d).Option != "yes" {
		return false
	}
	r.Set(id, body.CInspiration, r.Count(id, body.CInspiration)-1, "death save", rule)
	return true
}

// vainSave has one who is stable in secret spend what the dying would on a death
// save. It has that back when it wakes or dies.
//
// rcr.death.secret-saves, rcr.death.inspiration-auto-success
func vainSave(r *rules.Resolution, id string) {
	if inspiredSave(r, id) || len(dice.SpendHeld(r, r.Creature(id), body.ForSave)) > 0 {
		r.Set(id, body.CDeathInspiration, 1, "stable in secret", cite.DeathSecretSaves)
	}
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
	n := r.Count(id, body.CDeathSuccesses) + 1
	r.Set(id, body.CDeathSuccesses, min(3, n), "death save", cite.BaseDeathSaveFrame, cite.DeathSecretSaves)
	if n >= 3 {
		stabilise(r, id, "death saves", true)
	}
}

// Suffocates tells whether a creature has no air: by the condition, or limp
// from disabled paralysis.
//
// rcr.condition.paralyzed-disabled, rcr.underwater.suffocating-no-stabilize
func Suffocates(c *eventv1.Creature) bool { return !body.SheetOf(c).Breathless && checks.Airless(c) }

// suffocate makes the saving throw of a turn without air: Constitution against
// DC 5, 5 more each time. Who fails is unconscious and dying, whatever hit
// points are left (reading), and makes no death save in that turn. Air ends it.
//
// rcr.condition.paralyzed-disabled, rcr.underwater.suffocating-save,
// rcr.underwater.suffocating-escalation, rcr.underwater.suffocating-unconscious
func suffocate(r *rules.Resolution, id string) (fell bool) {
	c := r.Creature(id)
	switch {
	case body.Dead(c) || body.Down(c):
		return false
	case !Suffocates(c):
		r.Set(id, body.CSuffocating, 0, "breathes again", cite.ConditionParalyzedDisabled)
		return false
	}
	if !r.On(cite.UnderwaterSuffocatingSave) {
		return false // what becomes of it is for the game master to say
	}
	n, harder := c.Counters[body.CSuffocating]+1, int64(1)
	if r.On(cite.UnderwaterSuffocatingEscalation) {
		harder = n
	}
	r.Set(id, body.CSuffocating, n, "no air", cite.ConditionParalyzedDisabled)
	rolled := dice.D20{Label: "suffocation", Creature: c, Reason: "Constitution saving throw against suffocation",
		Modifiers: append([]*eventv1.Modifier{body.Mod(body.SaveBonus(c, "constitution"), "Constitution", body.Fallback)},
			dice.ChangeMods(r, "suffocation", c, nil, dice.SaveKinds("constitution")...)...),
		Edges:  append(dice.SaveEdges(r.State(), c, "constitution", "suffocation", nil), dice.SpendHeld(r, c, body.ForSave)...),
		Target: dice.Difficulty(5 * int32(min(harder, 1000))),
		Rules:  []string{cite.ConditionParalyzedDisabled, cite.UnderwaterSuffocatingSave}}.By(r, house.PointSave+"/constitution", effects.Env{Target: c}).Roll(r)
	if rolled.Success() || !r.On(cite.UnderwaterSuffocatingUnconscious) {
		return false
	}
	BringDown(r, id, "suffocation")
	return true
}
