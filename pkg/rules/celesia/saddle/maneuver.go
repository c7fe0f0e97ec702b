package saddle

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/answers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	"github.com/skaldrpg/skald/pkg/rules/celesia/maneuvers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	"github.com/skaldrpg/skald/pkg/rules/play"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// ManeuverActions are the combat maneuvers besides grappling.
func ManeuverActions() []*strike.Action {
	return slices.Concat([]*strike.Action{
		{Action: play.Action{ID: "trip", Title: "Trip", Rule: cite.ManeuverTrip, Group: play.GroupManeuver, Trigger: "maneuver", Costs: body.Acts(1), Items: body.Ways(checks.Bare), Least: 1, Most: 1,
			Refuse: body.Bars(maneuvers.RefuseTrip), RefuseTarget: answers.Aimed(maneuvers.RefuseTrip), Do: body.Done(doTrip)}},
		{Action: play.Action{ID: "disarm", Title: "Disarm", Rule: cite.ManeuverDisarm, Group: play.GroupManeuver, Trigger: "maneuver", Costs: body.Acts(1), Items: body.Ways(checks.Bare), Least: 1, Most: 1,
			Refuse: body.Bars(maneuvers.RefuseDisarm), RefuseTarget: answers.Aimed(maneuvers.RefuseDisarm), Do: body.Done(maneuvers.DoDisarm)}},
	}, forceActions(), maneuvers.SpoilActions(), strike.FeintActions())
}

// doTrip knocks the target prone; a failure by 10 or more the attacker.
//
// celesia.maneuver.trip
func doTrip(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	t := r.Creature(body.Target(take))
	rolled := strike.RollManeuverCheck(r, "trip", "trip", c, t, checks.ManeuverDefense(t, true), take, cite.ManeuverTrip)
	switch {
	case rolled.Success():
		body.KnockProne(r, t.Id, "tripped", cite.ManeuverTrip)
		saddle(r, t.Id)
	case rolled.Degree <= -1:
		body.KnockProne(r, c.Id, "the trip failed badly", cite.ManeuverTrip)
	}
	return nil
}
