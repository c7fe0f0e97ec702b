package strike

import (
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
)

// LetGo ends every hold that a creature has on others, and those on it.
func LetGo(r *rules.Resolution, id string) {
	for _, other := range r.CreatureIDs() {
		for _, x := range r.Creature(other).Conditions {
			if x.Name == body.CondHeld && (x.Source == id || other == id) {
				Free(r, other, x, "the hold ends")
			}
		}
	}
}
