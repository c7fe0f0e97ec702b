package strike

import (
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// DecDefend asks whoever an attack hits whether it reacts.
const DecDefend = "defend"

// Raises tells whether effects raise the armour class, and whether for one
// attack only.
func Raises(effects []*eventv1.RcrEffect) (raised, once bool) {
	for _, e := range effects {
		if e.Changes[body.ChArmor] > 0 {
			return true, e.Once
		}
	}
	return false, false
}

// React has a creature do something in the midst of another's action, and tells
// whether it could.
func React(r *rules.Resolution, take *eventv1.TakeAction) bool {
	at := body.Frame().At(r.State(), take)
	at.Content = r.Content()
	if body.Frame().Fits(at) != nil {
		return false
	}
	return at.Action.Do(r, at) == nil
}
