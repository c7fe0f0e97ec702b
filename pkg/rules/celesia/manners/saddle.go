package manners

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// RefuseLeaderless: a mount whose rider no longer guides it attacks nobody.
//
// celesia.mount.leaderless-avoids
func RefuseLeaderless(c *eventv1.Creature) error {
	if body.Has(c, CondLeaderless) {
		return body.Refuse("LEADERLESS", cite.MountLeaderlessAvoids, "%s keeps out of the fight", c.Name)
	}
	return nil
}

// RefuseBetween: a rider shoots only when its mount has finished an increment of
// its speed.
//
// celesia.mount.ranged-at-increments
func RefuseBetween(s *eventv1.State, c *eventv1.Creature, w *eventv1.CelesiaWeapon) error {
	m := s.Creatures[body.MountOf(c)]
	if m == nil || !body.Ranged(w) || c.Counters[body.CRideLeft] == 0 {
		return nil
	}
	if feet := body.Pace(m); feet == 0 || c.Counters[body.CRode]%int64(feet) != 0 {
		return body.Refuse("BETWEEN", cite.MountRangedAtIncrements, "%s has not finished an increment of its speed", m.Name)
	}
	return nil
}
