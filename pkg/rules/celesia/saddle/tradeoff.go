package saddle

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	"github.com/skaldrpg/skald/pkg/rules/celesia/manners"
	"github.com/skaldrpg/skald/pkg/rules/celesia/mending"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// initiate notes a maneuver of one's own turn, with what was chosen with it.
//
// celesia.attack.martial-power
func initiate(r *rules.Resolution, id string, take *eventv1.TakeAction) {
	declare(r, id, take)
	manners.ForRound(r, id, manners.CondInitiated, "maneuver", cite.AttackMartialPower, 0)
}

// declare puts into force what was chosen with an attack. A drawback to DV of one
// source counts once.
//
// celesia.attack.combat-expertise, celesia.attack.martial-power, celesia.attack.power-attack,
// celesia.attack.precision-strike, celesia.attack.reckless-aim, celesia.attack.reckless-offense
func declare(r *rules.Resolution, id string, take *eventv1.TakeAction) {
	for _, name := range mending.Chosen(take) {
		o, n := manners.TradeOffOf(name), manners.StepsAt(r.Content(), body.SheetOf(r.Creature(id)).BaseAttack)
		values := map[string]int32{"steps": n.Steps}
		switch name {
		case mending.OptionExpertise:
			values["dodge"] = n.Dodge
		case mending.OptionMartial:
			values["steps"] = n.Martial
			brace(r, id, n, values)
		case mending.OptionRecklessAim, mending.OptionReckless:
			values["defense"] = n.Penalty
		case mending.OptionPower, mending.OptionPrecision:
		default:
			continue
		}
		if !body.Has(r.Creature(id), name) {
			r.AddCondition(id, &eventv1.Condition{Name: name, Cause: o.Title, Until: checks.UntilStart(id), Values: values, Rule: o.Rule})
		}
	}
}

// brace gives the temporary hit points of Martial Power, more of them with a
// shield.
//
// celesia.attack.martial-power
func brace(r *rules.Resolution, id string, steps manners.Steps, values map[string]int32) {
	c, points := r.Creature(id), steps.MartialPoints
	if manners.BearsShield(c) {
		points = steps.MartialShielded
	}
	values["base"] = c.GetHpTemp()
	Deed(r, "martial-power/"+id, &eventv1.Harm{Deed: mending.DeedTemporary, Target: id, Amount: c.GetHpTemp() + points, Cause: "Martial Power"})
}

// Unbrace ends the temporary hit points of Martial Power; others stay.
//
// celesia.attack.martial-power
func Unbrace(r *rules.Resolution, id string) {
	x := body.Condition(r.Creature(id), mending.OptionMartial)
	if x == nil || r.Creature(id).GetHpTemp() <= x.Values["base"] {
		return
	}
	Deed(r, "martial-power/"+id, &eventv1.Harm{Deed: mending.DeedTemporary, Target: id, Amount: x.Values["base"], Cause: "Martial Power is over"})
}
