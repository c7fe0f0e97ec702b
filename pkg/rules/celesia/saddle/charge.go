package saddle

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/answers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	"github.com/skaldrpg/skald/pkg/rules/celesia/gear"
	"github.com/skaldrpg/skald/pkg/rules/celesia/movement"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	"github.com/skaldrpg/skald/pkg/rules/grid"
	"github.com/skaldrpg/skald/pkg/rules/play"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// ChargeActions are the charge; the item is the weapon that it is made with.
func ChargeActions() []*strike.Action {
	return []*strike.Action{{Action: play.Action{ID: "charge", Title: "Charge", Rule: cite.MovementCharge, Group: play.GroupMove, Trigger: "move", Costs: body.Acts(2), Items: body.Ways(checks.MeleeNames),
		Least: 1, Most: 1, Refuse: body.Bars(movement.RefuseCharge), RefuseTarget: answers.Aimed(movement.RefuseCharge), Do: body.Done(doCharge)}, Provoke: checks.Always}}
}

// doCharge moves to the foe. Until the turn ends the charger has advantage on
// melee attacks against it alone; until its next turn everybody has advantage
// on attacks against the charger.
//
// celesia.movement.charge-advantage, celesia.movement.charge-exposed
func doCharge(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	w, t := body.WeaponOf(c, take.Item), r.Creature(body.Target(take))
	r.AddCondition(c.Id, &eventv1.Condition{Name: body.CondCharged, Cause: "charge", Until: checks.UntilStart(c.Id), Rule: cite.MovementChargeExposed})
	r.AddCondition(c.Id, &eventv1.Condition{Name: body.CondCharging, Source: t.Id, Cause: "charge", Rule: cite.MovementChargeAdvantage,
		Until: &eventv1.Until{When: "end-of-turn", Creature: movement.WhoseTurn(r.State(), c.Id)}})
	if body.Place(c, w) == body.PlaceStowed {
		gear.Draw(r, c.Id, w.Name, false, "drawn in the charge", cite.MovementChargeDraw)
	}
	if c.Position != nil && t.Position != nil {
		_, far := body.Span(c, w)
		if at, _ := movement.Run(r.State(), c, t, far); grid.Steps(c.Position, at) > 0 { // judged clear before
			r.Move(&eventv1.Moved{Creature: c.Id, To: at, Mode: "charge", Feet: grid.Steps(c.Position, at)}, cite.MovementCharge)
			answers.TakeRider(r, c.Id)
		}
	}
	window(r, checks.Provocation{By: c.Id, Kind: "approach", Take: take})
	return nil
}
