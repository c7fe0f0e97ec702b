package body

import (
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// RefuseInspired says that there is no inspiration to make a roll with.
//
// rcr.base.inspiration-held
func RefuseInspired(c *eventv1.Creature, take *eventv1.TakeAction) error {
	if c.Counters[CInspiration] < 1 && spoken.Truth(take.GetParameters(), "inspiration") {
		return Refuse("NO_INSPIRATION", cite.BaseInspirationHeld, "%s has no inspiration", c.Name)
	}
	return nil
}
