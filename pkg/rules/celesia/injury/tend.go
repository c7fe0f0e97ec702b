package injury

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/mending"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Deeds lists what Tend knows.
func (Medicine) Deeds() []string {
	return []string{mending.DeedHarm, body.DeedDamage, body.DeedHeal, mending.DeedRest, mending.DeedPassTime, body.DeedRestore, body.DeedRegrow, mending.DeedConstitution}
}

// Tend carries out a deed on patients between fights.
func (m Medicine) Tend(r *rules.Resolution, cmd *eventv1.PatientCommand) error {
	if err := refuseTend(r, cmd); err != nil {
		return err
	}
	amount, _ := spoken.Number(cmd.Parameters, "amount")
	for _, id := range cmd.Patients {
		h := &eventv1.Harm{Deed: cmd.Deed, Target: id, Source: cmd.User, Cause: cmd.Item, Amount: amount,
			Nature: spoken.Word(cmd.Parameters, "nature"), Facts: map[string]string{"injury": spoken.Word(cmd.Parameters, "injury"), "via": spoken.Word(cmd.Parameters, "via")}}
		hours, given := spoken.Number(cmd.Parameters, "hours")
		switch cmd.Deed {
		case mending.DeedRest:
			if !given {
				hours = mending.NightHours
			}
			mending.Rest(r, id, hours, true)
			continue
		case mending.DeedPassTime:
			mending.Rest(r, id, hours, false)
			continue
		case mending.DeedHarm, body.DeedDamage:
			h.Deed = body.DeedDamage
			h.Parts = []*eventv1.DamagePart{{Type: spoken.Word(cmd.Parameters, "type"), Rolled: amount}}
		}
		if err := m.Deed(r, h); err != nil {
			return err
		}
	}
	return nil
}

// refuseTend says why a deed cannot be done. All of it is judged before the first
// patient: nothing is refused once dice were rolled or a question was put.
func refuseTend(r *rules.Resolution, cmd *eventv1.PatientCommand) error {
	if slices.Contains([]string{mending.DeedHarm, body.DeedDamage, body.DeedHeal, mending.DeedConstitution}, cmd.Deed) && cmd.GetParameters().GetFields()["amount"] == nil {
		return fault.Field("command.patient.parameters.amount", "missing: must be a whole number")
	}
	if cmd.Deed == mending.DeedPassTime && cmd.GetParameters().GetFields()["hours"] == nil {
		return fault.Field("command.patient.parameters.hours", "missing: must be a whole number from 1")
	}
	for _, id := range cmd.Patients {
		c, injury, refused := r.Creature(id), spoken.Word(cmd.Parameters, "injury"), error(nil)
		switch {
		case body.Dead(c):
		case cmd.Deed == body.DeedRestore:
			refused = refuseRestore(r.Content(), c, injury)
		case cmd.Deed == body.DeedRegrow:
			refused = body.RefuseRegrow(c, injury)
		}
		if refused != nil {
			return refused
		}
	}
	return nil
}
