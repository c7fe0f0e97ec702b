package mending

import (
	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	"github.com/skaldrpg/skald/pkg/rules/basic/strike"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Deeds between fights.
const (
	tendHarm = "harm"
	tendHeal = "treat"
	tendRest = "rest"
	// tendRevive brings an unconscious patient round.
	tendRevive = "revive"
)

// RestTurns is the rest that ends fatigue, in turns.
//
// basic.rest.fatigue
const RestTurns = 3

// turnsOfHour are the turns of an hour (a reading: a turn is 10 minutes).
const turnsOfHour = 6

// passTurns counts the turns that pass, and each hour that they fill.
//
// basic.rest.fatigue
func passTurns(r *rules.Resolution, id string, turns int32) {
	passed := r.Count(id, body.CTurns) + int64(turns)
	r.Set(id, body.CTurns, passed%turnsOfHour, "time passes", cite.RestFatigue)
	if full := passed / turnsOfHour; full > 0 {
		r.PassHours(id, full, cite.RestFatigue)
	}
}

// Deeds lists what Tend knows.
func (Medicine) Deeds() []string { return []string{tendHarm, tendRest, tendRevive, tendHeal} }

// Tend carries out a deed on patients between fights: harm and treat by the
// parameter amount (harm with "nonlethal": true for damage that does not kill),
// rest by the parameter turns; revive takes none.
func (m Medicine) Tend(r *rules.Resolution, c *eventv1.PatientCommand) error {
	key := "amount"
	if c.Deed == tendRest {
		key = "turns"
	}
	n, ok := spoken.Number(c.Parameters, key)
	if c.Deed == tendRevive {
		n, ok = 1, true
	}
	if !ok {
		return fault.Field("command.patient.parameters."+key, "must be a whole number from 1")
	}
	for _, id := range c.Patients { // before the first die falls
		switch {
		case body.Dead(r.Creature(id)):
			return body.Refuse("DEAD", cite.DeathZeroHp, "%q is dead", id)
		case c.Deed == tendRevive && !body.Unconscious(r.Creature(id)):
			return body.Refuse("NOT_UNCONSCIOUS", cite.HealingSubdualRevive, "%q is not unconscious", id)
		}
	}
	for _, id := range c.Patients {
		switch c.Deed {
		case tendHarm:
			h := &eventv1.Harm{Deed: body.DeedDamage, Target: id, Source: c.User, Cause: c.Item, Parts: []*eventv1.DamagePart{{Rolled: n}}}
			if spoken.Truth(c.Parameters, "nonlethal") {
				h.Nature = strike.Nonlethal
			}
			damage(r, h)
		case tendHeal:
			heal(r, id, c.User, c.Item, n)
		case tendRest:
			passTurns(r, id, n)
			rest(r, id, n)
		case tendRevive:
			revive(r, c.User, id)
		}
	}
	return nil
}

// revive brings an unconscious patient round after the rounds that it takes.
//
// basic.healing.subdual-revive
func revive(r *rules.Resolution, user, id string) {
	const rule = cite.HealingSubdualRevive
	rounds := r.Roll(rules.RollSpec{Label: "revive/" + id, Creature: user, Expression: "2d10", Reason: "rounds until awake", Rules: []string{rule}}).Total
	Wake(r, id, 1, "revived after "+body.Itoa(rounds)+" rounds")
}

// rest passes turns: three end fatigue, at once or one after the other, and whoever lies unconscious wakes after
// the turns rolled for it.
//
// basic.rest.fatigue, basic.healing.subdual-wake
func rest(r *rules.Resolution, id string, turns int32) {
	if left := r.Count(id, body.CWakeTurns); body.Unconscious(r.Creature(id)) && left > 0 {
		if int64(turns) < left {
			r.Set(id, body.CWakeTurns, left-int64(turns), "time passes", cite.HealingSubdualWake)
			return
		}
		Wake(r, id, 1, "comes to")
		turns -= int32(left)
	}
	if x := body.ConditionOf(r.Creature(id), body.CondProne); x != nil && body.Up(r.Creature(id)) {
		r.RemoveCondition(id, x, "rest", x.Rule)
	}
	tired := r.Count(id, body.CRunning) > 0 || body.Has(r.Creature(id), body.CondFatigued)
	if rested := r.Count(id, body.CRested) + int64(turns); tired && rested < RestTurns {
		r.Set(id, body.CRested, rested, "rest", cite.RestFatigue)
		return
	}
	r.Set(id, body.CRested, 0, "rest", cite.RestFatigue)
	r.Set(id, body.CRunning, 0, "rest", cite.RestFatigue)
	if x := body.ConditionOf(r.Creature(id), body.CondFatigued); x != nil {
		r.RemoveCondition(id, x, "rest", cite.RestFatigue)
	}
}
