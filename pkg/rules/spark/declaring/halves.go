package declaring

import (
	"github.com/skaldrpg/skald/pkg/rules/spark/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// ReachOf is the longest reach of what a creature can attack with at once; 0
// when it can attack with nothing.
func ReachOf(s *eventv1.State, c *eventv1.Creature) int32 {
	reach := int32(0)
	for _, w := range Armed(s, c) {
		reach = max(reach, w.ReachFeet)
	}
	return reach
}

// Armed lists the melee weapons ready for a reaction, a cracked one among them: whoever
// answers with it is asked to say so.
//
// spark.reaction.opportunity-attack, spark.fumble.weapon-cracked
func Armed(s *eventv1.State, c *eventv1.Creature) []*eventv1.SparkWeapon {
	var ready []*eventv1.SparkWeapon
	for _, w := range body.SheetOf(c).Weapons {
		if w.ReachFeet > 0 && body.RefuseWeapon(s, c, w, false, true, nil) == nil {
			ready = append(ready, w)
		}
	}
	return ready
}
