package answers

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
)

// CBreath counts the turns begun without breath.
const CBreath = "breathless-turns"

// Unchoke ends the chokehold of a hold that has ended, or of a pin that was given
// up (a reading: only the pinned are choked).
//
// celesia.maneuver.chokehold-maintain-end
func Unchoke(r *rules.Resolution, id, holder string) {
	for _, x := range r.Creature(id).GetConditions() {
		if (x.Name == body.CondChoked || x.Name == body.CondSuffocating) && x.Source == holder {
			r.RemoveCondition(id, x, "the hold has ended", cite.ManeuverChokeholdMaintainEnd)
			r.Set(id, CBreath, 0, "breathing again", cite.ManeuverChokeholdMaintainEnd)
		}
	}
}
