package magic

import (
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// DeviceBefore makes the check to cast from a scroll defensively; true when the
// casting does not provoke. Other items have none.
func DeviceBefore(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) bool {
	return body.ThingOf(c, take.Item).GetKind() == body.ThingCompletion && CastDefensively(r, c, take)
}
