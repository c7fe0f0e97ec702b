package mending

import (
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/content/spark/cite"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spark/body"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Lengths in minutes.
//
// spark.rest.short-length, spark.rest.long-length
const (
	minutesShort = 30
	minutesLong  = 8 * 60
	minutesDay   = 24 * 60
)

// Tending is a deed between fights on one patient.
type Tending func(r *rules.Resolution, c *eventv1.PatientCommand, id string) error

// Checks are the refusals of deeds that roll dice: they are made for all
// patients before the first die falls.
var Checks = map[string]Tending{"rest": checkRest, "restring": checkRestring, "set-bone": checkBone, "stop-bleeding": checkBleeding}

func amountOf(c *eventv1.PatientCommand) (int32, error) {
	n, ok := spoken.Number(c.GetParameters(), "amount")
	if !ok {
		return 0, fault.Field("command.patient.parameters.amount", "must be a whole number from 0")
	}
	return n, nil
}

// TendHarm takes hit points off a patient: parameters amount, without which it fails,
// and type of damage.
func TendHarm(r *rules.Resolution, c *eventv1.PatientCommand, id string) error {
	n, err := amountOf(c)
	if err == nil {
		Damage(r, &eventv1.Harm{Deed: body.DeedDamage, Target: id, Source: c.User, Cause: c.Item,
			Parts: []*eventv1.DamagePart{{Type: spoken.Word(c.GetParameters(), "type"), Rolled: n}}})
	}
	return err
}

// TendHeal heals; magical healing unless the parameter natural is given.
//
// spark.healing.two-ways
func TendHeal(r *rules.Resolution, c *eventv1.PatientCommand, id string) error {
	n, err := amountOf(c)
	if err != nil {
		return err
	}
	facts := map[string]string{"magical": rules.Yes}
	if spoken.Truth(c.GetParameters(), "natural") {
		facts = nil
	}
	Heal(r, &eventv1.Harm{Deed: body.DeedHeal, Target: id, Source: c.User, Cause: c.Item, Amount: n, Facts: facts})
	return nil
}

// TendTime lets time pass for a patient: parameter hours, without which it fails.
func TendTime(r *rules.Resolution, c *eventv1.PatientCommand, id string) error {
	hours, ok := spoken.Number(c.GetParameters(), "hours")
	if !ok {
		return fault.Field("command.patient.parameters.hours", "must be a whole number from 1")
	}
	pass(r, id, 60*int64(hours))
	return nil
}

// pass lets minutes pass, and counts each hour that they fill.
//
// spark.rest.short-length, spark.rest.long-length
func pass(r *rules.Resolution, id string, minutes int64) {
	was := r.Count(id, body.CMinutes)
	r.Set(id, body.CMinutes, was+minutes, "time passes", cite.RestShortLength)
	if full := (was+minutes)/60 - was/60; full > 0 {
		r.PassHours(id, full, cite.RestShortLength)
	}
}

// TendRest is a rest: parameters kind (short, long), dice (hit dice to roll on
// a short rest), place (of a long rest), ability (that gets a point back),
// interrupted (a fight or other strain voided it) and minutes (after how many).
//
// spark.rest.activity
func TendRest(r *rules.Resolution, c *eventv1.PatientCommand, id string) error {
	if spoken.Word(c.GetParameters(), "kind") == "long" {
		longRest(r, c, id)
	} else {
		shortRest(r, c, id)
	}
	if !body.Out(r.Creature(id)) {
		body.EndConditions(r, id, body.CondProne, "rested", cite.RestActivity)
	}
	return nil
}

// checkRest says why a patient cannot rest so.
//
// spark.rest.hit-dice-once, spark.rest.long-length
func checkRest(r *rules.Resolution, c *eventv1.PatientCommand, id string) error {
	const field = "command.patient.parameters."
	p := c.GetParameters()
	kind := spoken.Word(p, "kind")
	unread := map[string][]string{"short": {"place", "ability"}, "long": {"dice"}}
	switch {
	case unread[kind] == nil:
		return fault.Field(field+"kind", "must be short or long, not %q", kind)
	case body.Dead(r.Creature(id)):
		return body.Refuse("DEAD", cite.DiceDropToZero, "%q is dead", id)
	}
	for _, key := range unread[kind] {
		if p.GetFields()[key] != nil {
			return fault.Field(field+key, "a %s rest has no use for it", kind)
		}
	}
	if kind == "short" {
		if n, have := hitDice(r, c, id); n > have {
			return body.Refuse("NO_HIT_DICE", cite.RestHitDiceOnce, "%d hit dice asked for, %d are left", n, have)
		}
		return nil
	}
	now, last := r.Count(id, body.CMinutes), r.Count(id, body.CLongRest)
	if last > 0 && now < last-1+minutesDay {
		return body.Refuse("RESTED", cite.RestLongLength, "one long rest in 24 hours: the next may begin in %d minutes", last-1+minutesDay-now)
	}
	if named := spoken.Word(p, "ability"); named != "" && !slices.Contains(drainedAbilities(r.Creature(id)), named) {
		return fault.Field(field+"ability", "%q is not one of the drained %v", named, drainedAbilities(r.Creature(id)))
	}
	return nil
}

// hitDice are those that are to be rolled on a short rest, and those that are
// left.
//
// spark.rest.hit-dice-once
func hitDice(r *rules.Resolution, c *eventv1.PatientCommand, id string) (asked, have int64) {
	n, _ := spoken.Number(c.GetParameters(), "dice")
	return int64(n), min(r.Count(id, body.HitDiceOf(r.Creature(id))), int64(body.LevelOf(r.Creature(id))))
}

// brokenOff is how long a rest lasted that was interrupted: the parameter
// minutes, or all of it.
//
// spark.rest.activity
func brokenOff(c *eventv1.PatientCommand, whole int64) int64 {
	if n, ok := spoken.Number(c.GetParameters(), "minutes"); ok {
		return min(int64(n), whole)
	}
	return whole
}

// shortRest rolls hit dice without the Constitution modifier and gives 1d10 mana.
//
// spark.rest.short-length, spark.rest.short-hit-dice, spark.rest.hit-dice-once, spark.rest.short-mana
func shortRest(r *rules.Resolution, c *eventv1.PatientCommand, id string) {
	n, have := hitDice(r, c, id)
	if spoken.Truth(c.GetParameters(), "interrupted") {
		pass(r, id, brokenOff(c, minutesShort))
		r.Note(r.Audience(rules.FactHitPoints, "", id), id, "the rest is void", cite.RestActivity)
		return
	}
	pass(r, id, minutesShort)
	if n > 0 {
		rolled := r.Roll(rules.RollSpec{Label: "rest/" + id + "/hit-dice", Creature: id, Expression: body.Itoa(n) + "d" + body.Itoa(body.SheetOf(r.Creature(id)).HitDie),
			Reason: "hit dice of a short rest", Rules: []string{cite.RestShortHitDice}})
		r.Set(id, body.HitDiceOf(r.Creature(id)), have-n, "short rest", cite.RestHitDiceOnce) // those of drained levels are not there to be spent
		Heal(r, &eventv1.Harm{Target: id, Cause: "short rest", Amount: rolled.Value})
	}
	mana := r.Roll(rules.RollSpec{Label: "rest/" + id + "/mana", Creature: id, Expression: "1d10", Reason: "mana of a short rest",
		Rules: []string{cite.RestShortMana}})
	r.Set(id, body.CMana, min(int64(body.SheetOf(r.Creature(id)).Mana), r.Count(id, body.CMana)+int64(mana.Value)), "short rest", cite.RestShortMana)
}

// longRest gives back all hit dice with Constitution, times the place, all mana,
// the hit dice spent and one point of a drained ability.
//
// spark.rest.long-length, spark.rest.long-hp, spark.rest.place-multiplier, spark.rest.long-mana,
// spark.rest.long-ability-point, spark.rest.long-hit-dice-back
func longRest(r *rules.Resolution, c *eventv1.PatientCommand, id string) {
	p, s := c.GetParameters(), body.SheetOf(r.Creature(id))
	place := spoken.Word(p, "place")
	if place == "" {
		place = "wilderness"
	}
	times, now := body.Book.Places[place], r.Count(id, body.CMinutes)
	named := spoken.Word(p, "ability")
	if spoken.Truth(p, "interrupted") {
		pass(r, id, brokenOff(c, minutesLong))
		r.Note(r.Audience(rules.FactHitPoints, "", id), id, "the rest is void", cite.RestActivity)
		return
	}
	pass(r, id, minutesLong)
	r.Set(id, body.CLongRest, now+1, "long rest", cite.RestLongLength)
	if level := body.LevelOf(r.Creature(id)); level > 0 {
		rolled := r.Roll(rules.RollSpec{Label: "rest/" + id + "/hit-dice", Creature: id, Expression: body.Itoa(level) + "d" + body.Itoa(s.HitDie),
			Modifiers: []*eventv1.Modifier{body.Mod(level*s.ConstitutionModifier, "Constitution", cite.RestLongHp)},
			Reason:    "hit dice of a long rest", Rules: []string{cite.RestLongHp}})
		Heal(r, &eventv1.Harm{Target: id, Cause: "long rest", Amount: max(0, rolled.Total) * times})
		r.Set(id, body.HitDiceOf(r.Creature(id)), int64(level), "long rest", cite.RestLongHitDiceBack)
	}
	r.Set(id, body.CMana, int64(s.Mana), "long rest", cite.RestLongMana)
	endInjuries(r, id, "long rest", body.InjurySprain) // spark.fumble.sprain-wrist
	restMuscles(r, id)
	if ability := drainedAbility(r, id, named); ability != "" {
		r.Set(id, body.CDrained+ability, r.Count(id, body.CDrained+ability)-1, "long rest", cite.RestLongAbilityPoint)
	}
}

// drainedAbility finds which ability gets the point of a long rest back: the
// one named ahead, or the one that the rester names at its end.
//
// spark.rest.long-ability-point
func drainedAbility(r *rules.Resolution, id, named string) string {
	drained := drainedAbilities(r.Creature(id))
	switch {
	case named != "" || len(drained) == 0:
		return named
	case len(drained) == 1:
		return drained[0]
	}
	q := &eventv1.Decision{Name: body.DecAbility, Kind: eventv1.DecisionKind_DECISION_KIND_OPTION, Creature: id, Cause: "a long rest",
		Question: "Which ability gets a point back?", DefaultOption: drained[0], Rule: cite.RestLongAbilityPoint}
	for _, name := range drained {
		q.Options = append(q.Options, &eventv1.DecisionOption{Id: name, Text: name + ", drained by " + body.Itoa(r.Count(id, body.CDrained+name))})
	}
	return r.Ask("rest/"+id+"/ability", q).Option
}

func drainedAbilities(c *eventv1.Creature) []string {
	var drained []string
	for _, name := range rules.SortedKeys(c.Counters) {
		if ability, is := strings.CutPrefix(name, body.CDrained); is && c.Counters[name] > 0 {
			drained = append(drained, ability)
		}
	}
	return drained
}

// restMuscles counts a long rest towards the end of pulled muscles: the third
// ends them.
//
// spark.fumble.alt-pulled-arms, spark.fumble.alt-pulled-legs
func restMuscles(r *rules.Resolution, id string) {
	for _, in := range r.Creature(id).Injuries {
		if in.Kind != body.InjuryArms && in.Kind != body.InjuryLegs {
			continue
		}
		audience, rests := r.Audience(rules.FactInjury, in.Kind, id), in.Values["long_rests"]+1
		if rests >= restsOfMuscles {
			r.Emit(audience, &eventv1.InjuryRemoved{Creature: id, Id: in.Id, Cause: "long rests"}, InjuryRules[in.Kind])
			continue
		}
		next := &eventv1.Injury{Id: in.Id, Kind: in.Kind, Part: in.Part, Cause: in.Cause, Rule: in.Rule, Values: map[string]int32{"long_rests": rests}}
		r.Emit(audience, &eventv1.InjuryAdded{Creature: id, Injury: next}, InjuryRules[in.Kind])
	}
}

// restsOfMuscles are the long rests that a pulled muscle takes.
const restsOfMuscles = 3
