package strike

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// refuseComponents says why a creature cannot supply the components of a spell:
// a voice, and a hand that moves. A hand at the end of a lost arm or in
// fetters is of no use.
//
// celesia.injury.hand-all-lost, celesia.maneuver.chokehold-effects
func refuseComponents(c *eventv1.Creature, sp *eventv1.CelesiaSpell) error {
	switch {
	case sp.Verbal && body.Has(c, body.CondChoked):
		return body.Refuse("CHOKED", cite.ManeuverChokeholdEffects, "%s is choked and cannot speak", c.Name)
	case sp.Somatic && body.Parts(c, "hand") > 0 && UsableHands(c) == 0 && !body.Feature(c, body.FeatStillSpell):
		return body.Refuse("HANDS_LOST", cite.InjuryHandAllLost, "%s has lost the use of all hands", c.Name)
	}
	return nil
}
