package strike

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/items"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// MountedRoll is what riding does to an attack roll: higher ground against a
// smaller foe on foot, and what shooting from a mount at speed costs.
//
// celesia.mount.higher-ground, celesia.mount.ranged-double-move, celesia.mount.ranged-running, celesia.mount.no-melee-penalty
func MountedRoll(s *eventv1.State, c, t *eventv1.Creature, w *eventv1.CelesiaWeapon) []*eventv1.Modifier {
	m := s.Creatures[body.MountOf(c)]
	switch {
	case m == nil:
		return nil
	case !body.Ranged(w) && body.MountOf(t) == "" && body.SizeOf(t) < body.SizeOf(m):
		return []*eventv1.Modifier{body.Mod(1, "higher ground", cite.MountHigherGround)}
	case body.Ranged(w) && c.Marks[body.MGait] == items.GaitRun:
		return []*eventv1.Modifier{body.Mod(-8, "the mount runs", cite.MountRangedRunning)}
	case body.Ranged(w) && c.Marks[body.MGait] == items.GaitDouble:
		return []*eventv1.Modifier{body.Mod(-4, "the mount makes a double move", cite.MountRangedDoubleMove)}
	}
	return nil
}
