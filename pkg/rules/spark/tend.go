package spark

import (
	"slices"
	"strings"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/skaldrpg/skald/pkg/content/spark/cite"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
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

// tending is a deed between fights on one patient.
type tending func(r *rules.Resolution, c *eventv1.PatientCommand, id string) error

var tendings = map[string]tending{"gather": tendGather, "harm": tendHarm, "heal": tendHeal, "mend-bones": mendBones,
	"pass-time": tendTime, "recover-levels": recoverLevels, "repair": tendRepair, "rest": tendRest, "restore": tendRestore,
	"restring": tendRestring, "set": tendSet, "set-bone": setBone, "stop-bleeding": stopBleeding}

// checks are the refusals of deeds that roll dice: they are made for all
// patients before the first die falls.
var checks = map[string]tending{"rest": checkRest, "restring": checkRestring, "set-bone": checkBone, "stop-bleeding": checkBleeding}

// Deeds lists what Tend knows.
func (Medicine) Deeds() []string { return rules.SortedKeys(tendings) }

// Tend carries out a deed on patients between fights.
func (Medicine) Tend(r *rules.Resolution, c *eventv1.PatientCommand) error {
	if bookError != nil {
		return bookError
	}
	if check := checks[c.Deed]; check != nil {
		for _, id := range c.Patients {
			if err := check(r, c, id); err != nil {
				return err
			}
		}
	}
	for _, id := range c.Patients {
		if err := tendings[c.Deed](r, c, id); err != nil {
			return err
		}
	}
	return nil
}

func amountOf(c *eventv1.PatientCommand) (int32, error) {
	n, ok := spoken.Number(c.GetParameters(), "amount")
	if !ok {
		return 0, fault.Field("command.patient.parameters.amount", "must be a whole number from 0")
	}
	return n, nil
}

func tendHarm(r *rules.Resolution, c *eventv1.PatientCommand, id string) error {
	n, err := amountOf(c)
	if err == nil {
		damage(r, &eventv1.Harm{Deed: deedDamage, Target: id, Source: c.User, Cause: c.Item,
			Parts: []*eventv1.DamagePart{{Type: spoken.Word(c.GetParameters(), "type"), Rolled: n}}})
	}
	return err
}

// tendHeal heals; magical healing unless the parameter natural is given.
//
// spark.healing.two-ways
func tendHeal(r *rules.Resolution, c *eventv1.PatientCommand, id string) error {
	n, err := amountOf(c)
	if err != nil {
		return err
	}
	facts := map[string]string{"magical": "yes"}
	if spoken.Truth(c.GetParameters(), "natural") {
		facts = nil
	}
	heal(r, &eventv1.Harm{Deed: deedHeal, Target: id, Source: c.User, Cause: c.Item, Amount: n, Facts: facts})
	return nil
}

// tendSet sets a counter or a mark by the game master's word: a weapon mended,
// a drain taken.
func tendSet(r *rules.Resolution, c *eventv1.PatientCommand, id string) error {
	p := c.GetParameters()
	counter, mark := spoken.Word(p, "counter"), spoken.Word(p, "mark")
	value, said := p.GetFields()["value"]
	_, text := value.GetKind().(*structpb.Value_StringValue)
	if (counter == "") == (mark == "") || len(counter+mark) > rules.MaxIDLength {
		return fault.Field("command.patient.parameters", "either counter or mark, of at most %d bytes", rules.MaxIDLength)
	}
	if mark != "" {
		if err := checkWord("command.patient.parameters.mark", rules.PlaceMark, mark); err != nil {
			return err
		}
		if said && !text {
			return fault.Field("command.patient.parameters.value", "must be text for a mark")
		}
		r.Mark(id, mark, spoken.Word(p, "value"))
		return nil
	}
	if err := checkWord("command.patient.parameters.counter", rules.PlaceCounter, counter); err != nil {
		return err
	}
	n, ok := spoken.Number(p, "value")
	if !ok {
		return fault.Field("command.patient.parameters.value", "must be a whole number for a counter")
	}
	r.Set(id, counter, int64(n), "set")
	return nil
}

func tendTime(r *rules.Resolution, c *eventv1.PatientCommand, id string) error {
	hours, ok := spoken.Number(c.GetParameters(), "hours")
	if !ok {
		return fault.Field("command.patient.parameters.hours", "must be a whole number from 1")
	}
	pass(r, id, 60*int64(hours))
	return nil
}

func pass(r *rules.Resolution, id string, minutes int64) {
	r.Set(id, cClock, r.Count(id, cClock)+minutes, "time passes", cite.RestShortLength)
}

// tendRest is a rest: parameters kind (short, long), dice (hit dice to roll on
// a short rest), place (of a long rest), ability (that gets a point back),
// interrupted (a fight or other strain voided it) and minutes (after how many).
//
// spark.rest.activity
func tendRest(r *rules.Resolution, c *eventv1.PatientCommand, id string) error {
	if spoken.Word(c.GetParameters(), "kind") == "long" {
		longRest(r, c, id)
	} else {
		shortRest(r, c, id)
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
	case dead(r.Creature(id)):
		return refuse("DEAD", cite.DiceDropToZero, "%q is dead", id)
	}
	for _, key := range unread[kind] {
		if p.GetFields()[key] != nil {
			return fault.Field(field+key, "a %s rest has no use for it", kind)
		}
	}
	if kind == "short" {
		if n, have := hitDice(r, c, id); n < 0 || n > have {
			return refuse("NO_HIT_DICE", cite.RestHitDiceOnce, "%d hit dice asked for, %d are left", n, have)
		}
		return nil
	}
	now, last := r.Count(id, cClock), r.Count(id, cLongRest)
	if last > 0 && now < last-1+minutesDay {
		return refuse("RESTED", cite.RestLongLength, "one long rest in 24 hours: the next may begin in %d minutes", last-1+minutesDay-now)
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
	return int64(n), min(r.Count(id, cHitDice), int64(levelOf(r.Creature(id))))
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
		rolled := r.Roll(rules.RollSpec{Label: "rest/" + id + "/hit-dice", Creature: id, Expression: itoa(n) + "d" + itoa(sheetOf(r.Creature(id)).HitDie),
			Reason: "hit dice of a short rest", Rules: []string{cite.RestShortHitDice}})
		r.Set(id, cHitDice, have-n, "short rest", cite.RestHitDiceOnce) // those of drained levels are not there to be spent
		heal(r, &eventv1.Harm{Target: id, Cause: "short rest", Amount: rolled.Value})
	}
	mana := r.Roll(rules.RollSpec{Label: "rest/" + id + "/mana", Creature: id, Expression: "1d10", Reason: "mana of a short rest",
		Rules: []string{cite.RestShortMana}})
	r.Set(id, cMana, min(int64(sheetOf(r.Creature(id)).Mana), r.Count(id, cMana)+int64(mana.Value)), "short rest", cite.RestShortMana)
}

// longRest gives back all hit dice with Constitution, times the place, all mana,
// the hit dice spent and one point of a drained ability.
//
// spark.rest.long-length, spark.rest.long-hp, spark.rest.place-multiplier, spark.rest.long-mana,
// spark.rest.long-ability-point, spark.rest.long-hit-dice-back
func longRest(r *rules.Resolution, c *eventv1.PatientCommand, id string) {
	p, s := c.GetParameters(), sheetOf(r.Creature(id))
	place := spoken.Word(p, "place")
	if place == "" {
		place = "wilderness"
	}
	times, now := book.places[place], r.Count(id, cClock)
	named := spoken.Word(p, "ability")
	if spoken.Truth(p, "interrupted") {
		pass(r, id, brokenOff(c, minutesLong))
		r.Note(r.Audience(rules.FactHitPoints, "", id), id, "the rest is void", cite.RestActivity)
		return
	}
	pass(r, id, minutesLong)
	r.Set(id, cLongRest, now+1, "long rest", cite.RestLongLength)
	if level := levelOf(r.Creature(id)); level > 0 {
		rolled := r.Roll(rules.RollSpec{Label: "rest/" + id + "/hit-dice", Creature: id, Expression: itoa(level) + "d" + itoa(s.HitDie),
			Modifiers: []*eventv1.Modifier{mod(level*s.ConstitutionModifier, "Constitution", cite.RestLongHp)},
			Reason:    "hit dice of a long rest", Rules: []string{cite.RestLongHp}})
		heal(r, &eventv1.Harm{Target: id, Cause: "long rest", Amount: max(0, rolled.Total) * times})
		r.Set(id, cHitDice, int64(level), "long rest", cite.RestLongHitDiceBack)
	}
	r.Set(id, cMana, int64(s.Mana), "long rest", cite.RestLongMana)
	endInjuries(r, id, "long rest", injurySprain) // spark.fumble.sprain-wrist
	restMuscles(r, id)
	if ability := drainedAbility(r, id, named); ability != "" {
		r.Set(id, cDrained+ability, r.Count(id, cDrained+ability)-1, "long rest", cite.RestLongAbilityPoint)
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
	q := &eventv1.Decision{Name: decAbility, Kind: eventv1.DecisionKind_DECISION_KIND_OPTION, Creature: id, Cause: "a long rest",
		Question: "Which ability gets a point back?", DefaultOption: drained[0], Rule: cite.RestLongAbilityPoint}
	for _, name := range drained {
		q.Options = append(q.Options, &eventv1.DecisionOption{Id: name, Text: name + ", drained by " + itoa(r.Count(id, cDrained+name))})
	}
	return r.Ask("rest/"+id+"/ability", q).Option
}

func drainedAbilities(c *eventv1.Creature) []string {
	var drained []string
	for _, name := range rules.SortedKeys(c.Counters) {
		if ability, is := strings.CutPrefix(name, cDrained); is && c.Counters[name] > 0 {
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
	for _, in := range slices.Clone(r.Creature(id).Injuries) {
		if in.Kind != injuryArms && in.Kind != injuryLegs {
			continue
		}
		audience, rests := r.Audience(rules.FactInjury, in.Kind, id), in.Values["long_rests"]+1
		if rests >= restsOfMuscles {
			r.Emit(audience, &eventv1.InjuryRemoved{Creature: id, Id: in.Id, Cause: "long rests"}, injuryRules[in.Kind])
			continue
		}
		next := &eventv1.Injury{Id: in.Id, Kind: in.Kind, Part: in.Part, Cause: in.Cause, Rule: in.Rule, Values: map[string]int32{"long_rests": rests}}
		r.Emit(audience, &eventv1.InjuryAdded{Creature: id, Injury: next}, injuryRules[in.Kind])
	}
}

// restsOfMuscles are the long rests that a pulled muscle takes.
const restsOfMuscles = 3
