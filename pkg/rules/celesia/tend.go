package celesia

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// deedConstitution is damage to the Constitution score.
const deedConstitution = "constitution-damage"

// Deeds between fights.
const (
	deedHarm     = "harm"
	deedRest     = "rest"
	deedPassTime = "pass-time"
)

// nightHours is the length of a full night's rest in hours (a reading).
const nightHours = 8

// Deeds lists what Tend knows.
func (Medicine) Deeds() []string {
	return []string{deedHarm, deedDamage, deedHeal, deedRest, deedPassTime, deedRestore, deedRegrow, deedConstitution}
}

// Tend carries out a deed on patients between fights.
func (m Medicine) Tend(r *rules.Resolution, cmd *eventv1.PatientCommand) error {
	amount, stated := spoken.Number(cmd.Parameters, "amount")
	counts := slices.Contains([]string{deedHarm, deedDamage, deedHeal, deedConstitution}, cmd.Deed)
	if counts && !stated || cmd.Deed != deedConstitution && amount < 0 {
		return fault.Field("command.patient.parameters.amount", "must be a whole number from 0")
	}
	for _, id := range cmd.Patients {
		h := &eventv1.Harm{Deed: cmd.Deed, Target: id, Source: cmd.User, Cause: cmd.Item, Amount: amount,
			Nature: spoken.Word(cmd.Parameters, "nature"), Facts: map[string]string{"injury": spoken.Word(cmd.Parameters, "injury"), "via": spoken.Word(cmd.Parameters, "via")}}
		hours, given := spoken.Number(cmd.Parameters, "hours")
		switch cmd.Deed {
		case deedRest:
			if !given {
				hours = nightHours
			}
			if err := rest(r, id, hours, true); err != nil {
				return err
			}
			continue
		case deedPassTime:
			if err := rest(r, id, hours, false); err != nil {
				return err
			}
			continue
		case deedHarm, deedDamage:
			h.Deed = deedDamage
			h.Parts = []*eventv1.DamagePart{{Type: spoken.Word(cmd.Parameters, "type"), Rolled: amount}}
		}
		if err := m.Deed(r, h); err != nil {
			return err
		}
	}
	return nil
}

// rest heals nonlethal damage by character level for each hour and, in a full
// night that is completed, burn with what is left.
//
// celesia.healing.nonlethal-hourly, celesia.rest.burn-full-night-only, celesia.rest.nonlethal-before-burn
func rest(r *rules.Resolution, id string, hours int32, resting bool) error {
	if hours < 0 || hours > 24*365 {
		return fault.Field("patient.parameters.hours", "must be 0 to 8760")
	}
	c := r.Creature(id)
	if dead(c) {
		return nil
	}
	points := int64(sheetOf(c).Level) * int64(hours)
	off := min(points, r.Count(id, cNonlethal))
	r.Set(id, cNonlethal, r.Count(id, cNonlethal)-off, "hours of rest", "celesia.healing.nonlethal-hourly")
	if resting && hours >= nightHours {
		r.Set(id, cBurn, max(0, r.Count(id, cBurn)-(points-off)), "a full night's rest", "celesia.rest.burn-full-night-only")
	}
	for _, x := range slices.Clone(r.Creature(id).Conditions) {
		if minutes := x.Values["minutes"]; minutes > 0 && minutes <= 60*hours {
			r.RemoveCondition(id, x, "its time is over", x.Rule)
		}
	}
	settleBody(r, id, false)
	return nil
}
