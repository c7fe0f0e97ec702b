package items

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// RefuseRidingCast: from a running mount only up to twice its speed.
//
// celesia.mount.cast-while-running
func RefuseRidingCast(s *eventv1.State, c *eventv1.Creature) error {
	m := s.Creatures[body.MountOf(c)]
	if m != nil && c.Marks[body.MGait] == GaitRun && c.Counters[body.CRode] > 2*int64(body.Pace(m)) {
		return body.Refuse("TOO_FAST", cite.MountCastWhileRunning, "%s has run farther than twice its speed", m.Name)
	}
	return nil
}
