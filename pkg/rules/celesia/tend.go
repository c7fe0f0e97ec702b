package celesia

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
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

// viaMagic is how healing comes that is magic.
const viaMagic = "magic"

// nightHours is the length of a full night's rest in hours (a reading).
const nightHours = 8

// Deeds lists what Tend knows.
func (Medicine) Deeds() []string {
	return []string{deedHarm, deedDamage, deedHeal, deedRest, deedPassTime, deedRestore, deedRegrow, deedConstitution}
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
		case deedRest:
			if !given {
				hours = nightHours
			}
			rest(r, id, hours, true)
			continue
		case deedPassTime:
			rest(r, id, hours, false)
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

// refuseTend says why a deed cannot be done. All of it is judged before the first
// patient: nothing is refused once dice were rolled or a question was put.
func refuseTend(r *rules.Resolution, cmd *eventv1.PatientCommand) error {
	if slices.Contains([]string{deedHarm, deedDamage, deedHeal, deedConstitution}, cmd.Deed) && cmd.GetParameters().GetFields()["amount"] == nil {
		return fault.Field("command.patient.parameters.amount", "missing: must be a whole number")
	}
	if cmd.Deed == deedPassTime && cmd.GetParameters().GetFields()["hours"] == nil {
		return fault.Field("command.patient.parameters.hours", "missing: must be a whole number from 1")
	}
	for _, id := range cmd.Patients {
		c, injury, refused := r.Creature(id), spoken.Word(cmd.Parameters, "injury"), error(nil)
		switch {
		case dead(c):
		case cmd.Deed == deedRestore:
			refused = refuseRestore(c, injury)
		case cmd.Deed == deedRegrow:
			refused = refuseRegrow(c, injury)
		}
		if refused != nil {
			return refused
		}
	}
	return nil
}

// rest heals nonlethal damage by character level for each hour and, in a full
// night that is completed, burn with what is left.
//
// celesia.healing.nonlethal-hourly, celesia.rest.burn-full-night-only, celesia.rest.nonlethal-before-burn
func rest(r *rules.Resolution, id string, hours int32, resting bool) {
	c := r.Creature(id)
	if dead(c) {
		return
	}
	points := int64(sheetOf(c).Level) * int64(hours)
	off := min(points, r.Count(id, cNonlethal))
	r.Set(id, cNonlethal, r.Count(id, cNonlethal)-off, "hours of rest", cite.HealingNonlethalHourly)
	if resting && hours >= nightHours {
		r.Set(id, cBurn, max(0, r.Count(id, cBurn)-(points-off)), "a full night's rest", cite.RestBurnFullNightOnly)
	}
	for _, x := range slices.Clone(r.Creature(id).Conditions) {
		if minutes := x.Values["minutes"]; minutes > 0 && minutes <= 60*hours {
			r.RemoveCondition(id, x, "its time is over", x.Rule)
		}
	}
	settleBody(r, id, false)
}
