package items

import (
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// IsManeuver tells whether an ability is a martial maneuver: a boost, a strike or a
// counter.
func IsManeuver(a *eventv1.CelesiaAbility) bool {
	return a.GetKind() == body.KindBoost || a.GetKind() == body.KindStrike || a.GetKind() == body.KindCounter
}
