package rcr

import (
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// tending is a deed between fights on the patients of a command.
type tending func(r *rules.Resolution, c *eventv1.PatientCommand) error

// tendings are the deeds between fights by name. "rest" is either rest by the
// parameter kind, "short" or "long".
var tendings = map[string]tending{
	"treat":      treat,
	"harm":       tendHarm,
	"rest":       restByKind,
	"short-rest": func(r *rules.Resolution, c *eventv1.PatientCommand) error { return rest(r, c, false) },
	"long-rest":  func(r *rules.Resolution, c *eventv1.PatientCommand) error { return rest(r, c, true) },
	"pass-time":  tendTime,
	"revive":     eachPatient(tendRevive),
	"set-mark":   eachPatient(tendMark),
	"exhaust":    eachPatient(tendExhaust),
	deedTempHP:   eachPatient(tendTemporary),
}

// Deeds lists what Tend knows.
func (Medicine) Deeds() []string { return rules.SortedKeys(tendings) }

// Tend carries out a deed on patients between fights.
func (Medicine) Tend(r *rules.Resolution, c *eventv1.PatientCommand) error {
	if bookError != nil {
		return bookError
	}
	return tendings[c.Deed](r, c)
}

// eachPatient makes a deed on one patient a deed on all.
func eachPatient(one func(r *rules.Resolution, c *eventv1.PatientCommand, id string) error) tending {
	return func(r *rules.Resolution, c *eventv1.PatientCommand) error {
		for _, id := range c.Patients {
			if err := one(r, c, id); err != nil {
				return err
			}
		}
		return nil
	}
}

func restByKind(r *rules.Resolution, c *eventv1.PatientCommand) error {
	kind := spoken.Word(c.GetParameters(), "kind")
	if kind == "" {
		return fault.Field("command.patient.parameters.kind", "must be short or long")
	}
	return rest(r, c, kind == "long")
}

// harmWords are parameters of harm that are handed on as facts: the die that a
// scar is rolled with, the side of a lost part, words on the wound.
var harmWords = []struct{ parameter, fact string }{{"scar_die", "scar-die"}, {"side", "side"}, {"wound", "wound"}}

// tendHarm deals damage between fights: by the parameters amount or dice, with
// type, critical, magical, silvered, adamantine, scar_die, side and wound (words
// on it); or a setback by grade.
func tendHarm(r *rules.Resolution, c *eventv1.PatientCommand) error {
	p := c.GetParameters()
	cause := c.Item
	if cause == "" {
		cause = "harm"
	}
	if grade := spoken.Word(p, "grade"); grade != "" {
		return eachPatient(func(r *rules.Resolution, _ *eventv1.PatientCommand, id string) error {
			_, err := setback(r, id, grade, cause, "setback/"+id)
			return err
		})(r, c)
	}
	amount, err := statedAmount(r, p, "dice", cause, c.User, event.Controllers(c.Patients...))
	if err != nil {
		return err
	}
	facts := map[string]string{}
	for _, key := range []string{"magical", "silvered", "adamantine"} {
		if spoken.Truth(p, key) {
			facts[key] = "yes"
		}
	}
	for _, w := range harmWords {
		facts[w.fact] = spoken.Word(p, w.parameter)
	}
	for _, id := range c.Patients {
		damage(r, &eventv1.Harm{Deed: deedDamage, Target: id, Source: c.User, Cause: cause, Critical: spoken.Truth(p, "critical"), Facts: facts,
			Parts: []*eventv1.DamagePart{{Type: spoken.Word(p, "type"), Rolled: amount}}})
	}
	return nil
}

func tendTime(r *rules.Resolution, c *eventv1.PatientCommand) error {
	hours, ok := spoken.Number(c.GetParameters(), "hours")
	if !ok {
		return fault.Field("command.patient.parameters.hours", "must be a whole number from 1")
	}
	for _, id := range c.Patients {
		passTime(r, id, int64(hours))
	}
	return nil
}

// tendRevive brings the dead back by a spell; amount gives more than 1 hit point.
func tendRevive(r *rules.Resolution, c *eventv1.PatientCommand, id string) error {
	amount, _ := spoken.Number(c.GetParameters(), "amount")
	cause := c.Item
	if cause == "" {
		cause = "revival"
	}
	return revive(r, &eventv1.Harm{Deed: deedRevive, Target: id, Source: c.User, Cause: cause, Amount: amount})
}

// tendMark sets a mark of the game master's, such as "ailment.infection".
func tendMark(r *rules.Resolution, c *eventv1.PatientCommand, id string) error {
	mark := spoken.Word(c.GetParameters(), "mark")
	if mark == "" || len(mark) > rules.MaxIDLength {
		return fault.Field("command.patient.parameters.mark", "must be 1 to %d bytes", rules.MaxIDLength)
	}
	if why := knownName(rules.PlaceMark, mark); why != "" { // a fight would refuse the patient for it
		return fault.Field("command.patient.parameters.mark", "%s", why)
	}
	r.Mark(id, mark, spoken.Word(c.GetParameters(), "value"), cite.HealingMagicIsNaturalHealing)
	return nil
}

func tendExhaust(r *rules.Resolution, c *eventv1.PatientCommand, id string) error {
	n, ok := spoken.Number(c.GetParameters(), "levels")
	if !ok || n == 0 {
		return fault.Field("command.patient.parameters.levels", "must be a whole number, not 0")
	}
	return ofLiving(r, id, func() { exhaust(r, id, int64(n), c.Item) })
}

func tendTemporary(r *rules.Resolution, c *eventv1.PatientCommand, id string) error {
	n, ok := spoken.Number(c.GetParameters(), "amount")
	if !ok {
		return fault.Field("command.patient.parameters.amount", "must be a whole number from 0")
	}
	return ofLiving(r, id, func() { giveTemporary(r, id, n) })
}
