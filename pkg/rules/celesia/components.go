package celesia

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// featStillSpell casts without somatic components.
const featStillSpell = "still-spell"

// refuseComponents says why a creature cannot supply the components of a spell:
// a voice, and a hand that moves. A hand at the end of a lost arm or in
// fetters is of no use.
//
// celesia.injury.hand-all-lost, celesia.maneuver.chokehold-effects
func refuseComponents(c *eventv1.Creature, sp *eventv1.CelesiaSpell) error {
	switch {
	case sp.Verbal && has(c, condChoked):
		return refuse("CHOKED", cite.ManeuverChokeholdEffects, "%s is choked and cannot speak", c.Name)
	case sp.Somatic && parts(c, "hand") > 0 && usableHands(c) == 0 && !feature(c, featStillSpell):
		return refuse("HANDS_LOST", cite.InjuryHandAllLost, "%s has lost the use of all hands", c.Name)
	}
	return nil
}
