package checks

import (
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// RefuseAlly says why a creature is nobody to help.
func RefuseAlly(c, ally *eventv1.Creature) error {
	if body.Hostile(c, ally) || body.Dead(ally) {
		return body.Refuse("NO_ALLY", body.Fallback, "%s is nobody to help", ally.GetName())
	}
	return nil
}
