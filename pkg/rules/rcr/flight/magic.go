package flight

import (
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/items"
)

// Enter gives a creature just added what its sheet says of flight: its load, and what
// bears it without being activated.
//
// rcr.flight.magic-worn-requirements
func Enter(r *rules.Resolution, id string) {
	c := r.Creature(id)
	if load := body.SheetOf(c).Load; load > 0 && c.Counters[body.CLoad] == 0 {
		r.Set(id, body.CLoad, int64(load), "sheet")
	}
	for _, it := range body.SheetOf(c).Items {
		if it.FlySpeed > 0 && !it.FlightActivated {
			r.AddCondition(id, items.LiftOf(it, id), cite.FlightMagicWornRequirements)
		}
	}
}

// switchOff ends the flight by items that must be activated, once their user is prone
// or held fast.
//
// rcr.flight.magic-worn-deactivate, rcr.flight.magic-held-as-worn
func switchOff(r *rules.Resolution, id string) {
	c := r.Creature(id)
	for _, x := range c.GetConditions() {
		if x.Name != body.CondLifted || x.Variant != body.LiftWorn && x.Variant != body.LiftHeld {
			continue
		}
		owner := r.Creature(x.Source)
		if owner == nil {
			owner = c
		}
		it := items.ItemOf(owner, x.Cause)
		if it == nil || !it.FlightActivated || !body.Has(c, body.CondProne) && body.BaseSpeed(r.State(), c) > 0 {
			continue
		}
		r.RemoveCondition(id, x, it.Name+" is switched off", cite.FlightMagicWornDeactivate)
	}
}
