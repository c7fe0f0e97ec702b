package rest

import (
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/barding"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/injuries"
	"github.com/skaldrpg/skald/pkg/rules/rcr/underwater"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// tendings are the deeds between fights by name. "rest" is either rest by the
// parameter kind, "short" or "long".
var tendings = map[string]injuries.Tending{
	"treat":         injuries.Treat,
	"tend":          injuries.TendByHealer,
	"inspire":       injuries.TendInspire,
	"harm":          tendHarm,
	"rest":          restByKind,
	"short-rest":    func(r *rules.Resolution, c *eventv1.PatientCommand) error { return rest(r, c, false) },
	"long-rest":     func(r *rules.Resolution, c *eventv1.PatientCommand) error { return rest(r, c, true) },
	"pass-time":     tendTime,
	"revive":        injuries.EachPatient(injuries.TendRevive),
	"set-mark":      injuries.EachPatient(tendMark),
	"exhaust":       injuries.EachPatient(tendExhaust),
	body.DeedTempHP: injuries.EachPatient(tendTemporary),
	"barding":       injuries.EachPatient(barding.Tend),
	"swim":          injuries.EachPatient(tendSwim),
}

// Deeds lists what Tend knows.
func (Medicine) Deeds() []string { return rules.SortedKeys(tendings) }

// Tend carries out a deed on patients between fights.
func (Medicine) Tend(r *rules.Resolution, c *eventv1.PatientCommand) error {
	if body.BookError != nil {
		return body.BookError
	}
	return tendings[c.Deed](r, c)
}

func restByKind(r *rules.Resolution, c *eventv1.PatientCommand) error {
	kind := spoken.Word(c.GetParameters(), "kind")
	if kind == "" {
		return fault.Field("command.patient.parameters.kind", "must be short or long")
	}
	return rest(r, c, kind == "long")
}

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
		return injuries.EachPatient(func(r *rules.Resolution, _ *eventv1.PatientCommand, id string) error {
			_, err := injuries.Setback(r, id, grade, cause, "setback/"+id)
			return err
		})(r, c)
	}
	amount, err := injuries.StatedAmount(r, p, "dice", cause, c.User, event.Controllers(c.Patients...))
	if err != nil {
		return err
	}
	facts := map[string]string{}
	for _, key := range []string{"magical", "silvered", "adamantine", "trap"} {
		if spoken.Truth(p, key) {
			facts[key] = rules.Yes
		}
	}
	if spoken.Truth(p, "underwater") {
		facts[body.FactUnderwater] = rules.Yes
	}
	for _, w := range body.HarmWords {
		facts[w.Fact] = spoken.Word(p, w.Parameter)
	}
	for _, id := range c.Patients {
		injuries.Damage(r, &eventv1.Harm{Deed: body.DeedDamage, Target: id, Source: c.User, Cause: cause, Critical: spoken.Truth(p, "critical"), Facts: facts,
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

// tendSwim has a patient swim for minutes, after a rest of so many seconds.
//
// rcr.underwater.swim-exhaustion, rcr.underwater.swim-rest
func tendSwim(r *rules.Resolution, c *eventv1.PatientCommand, id string) error {
	minutes, said := spoken.Number(c.GetParameters(), "minutes")
	rested, _ := spoken.Number(c.GetParameters(), "rested")
	if !said {
		return fault.Field("command.patient.parameters.minutes", "must be a whole number from 0")
	}
	return injuries.OfLiving(r, id, func() {
		underwater.Swim(r, id, int64(rested), 60*int64(minutes), func(id string) {
			injuries.Exhaust(r, id, 1, "swimming", cite.UnderwaterSwimExhaustion)
		})
	})
}

// tendMark sets a mark of the game master's, such as "ailment.infection".
func tendMark(r *rules.Resolution, c *eventv1.PatientCommand, id string) error {
	mark := spoken.Word(c.GetParameters(), "mark")
	if mark == "" || len(mark) > rules.MaxIDLength {
		return fault.Field("command.patient.parameters.mark", "must be 1 to %d bytes", rules.MaxIDLength)
	}
	if why := body.KnownName(rules.PlaceMark, mark); why != "" { // a fight would refuse the patient for it
		return fault.Field("command.patient.parameters.mark", "%s", why)
	}
	r.Mark(id, mark, spoken.Word(c.GetParameters(), "value"), cite.HealingMagicIsNaturalHealing)
	return nil
}

func tendExhaust(r *rules.Resolution, c *eventv1.PatientCommand, id string) error {
	n, _ := spoken.Number(c.GetParameters(), "levels")
	if n == 0 {
		return fault.Field("command.patient.parameters.levels", "must be a whole number, not 0")
	}
	return injuries.OfLiving(r, id, func() { injuries.Exhaust(r, id, int64(n), c.Item) })
}

func tendTemporary(r *rules.Resolution, c *eventv1.PatientCommand, id string) error {
	n, ok := spoken.Number(c.GetParameters(), "amount")
	if !ok {
		return fault.Field("command.patient.parameters.amount", "must be a whole number from 0")
	}
	return injuries.OfLiving(r, id, func() { injuries.GiveTemporary(r, id, n) })
}
