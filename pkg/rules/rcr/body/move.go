package body

import (
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// CDashes counts the Dashes of the turn: each brings the speed once more.
const CDashes = "dashes"

// CCharges counts the Dashes of the turn that an attack or a shove went with; CStraight
// are the feet that a charger has gone straight, MHeading is the way.
const (
	CCharges  = "charges"
	CStraight = "straight"
	MHeading  = "heading"
)

// Modes of movement that a creature may choose from.
var Modes = []string{"walk", "climb", "swim", "fly", "burrow"}

// BaseSpeed is the speed that the movement of the turn is counted by: walking,
// or the best for one that does not walk.
func BaseSpeed(s *eventv1.State, c *eventv1.Creature) int32 {
	if feet := SpeedIn(s, c.Id, "walk"); feet > 0 {
		return feet
	}
	feet := int32(0)
	// order-free: the largest is taken
	for mode := range c.GetSheet().GetSpeeds() {
		feet = max(feet, SpeedIn(s, c.Id, mode))
	}
	return max(feet, SpeedIn(s, c.Id, "fly")) // by magic too
}

// EndDistantGrapples ends the grapples that a movement has pulled apart.
//
// rcr.condition.replace-base
func EndDistantGrapples(r *rules.Resolution, id string) {
	for _, other := range r.CreatureIDs() {
		for _, x := range r.Creature(other).Conditions {
			if x.Name != CondGrappled || x.Source != id && other != id {
				continue
			}
			grappler := r.Creature(x.Source)
			if feet, _ := Distance(grappler, r.Creature(other)); feet > max(5, ReachOf(grappler)) {
				r.RemoveCondition(other, x, "out of reach", cite.ConditionReplaceBase)
			}
		}
	}
}
