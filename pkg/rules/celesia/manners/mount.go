package manners

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Conditions of rider and mount; who rides whom is a relation of both, that of the
// rider with the value "space", the side of the mount's space in feet, which it
// shares.
const (
	// CondKnees is on a rider who guides the mount with its knees, or, with the
	// variant kneesFailed, has tried in vain.
	CondKnees = "guiding-with-knees"
	// CondUnruled is on a rider whose mount got out of hand, until the start of
	// its next turn.
	CondUnruled = "fighting-the-mount"
	// CondLeaderless is on a mount whose rider no longer guides it.
	CondLeaderless = "leaderless"
)

// KneesFailed is the variant of condKnees when the knees do not guide the mount.
const KneesFailed = "failed"

// RefuseReins: one hand is on the reins unless the knees guide the mount.
//
// celesia.mount.guide-with-knees
func RefuseReins(c *eventv1.Creature, w *eventv1.CelesiaWeapon) error {
	if body.MountOf(c) == "" || body.Place(c, w) != body.PlaceBoth || guided(c) {
		return nil
	}
	return body.Refuse("REINS", cite.MountGuideWithKnees, "one hand of %s holds the reins", c.Name)
}

// RefuseBothHands: one hand is on the reins, so that not both of them fight.
//
// celesia.mount.guide-with-knees
func RefuseBothHands(c *eventv1.Creature, limbs []string) error {
	if body.MountOf(c) == "" || guided(c) || !slices.Contains(limbs, "right-hand") || !slices.Contains(limbs, "left-hand") {
		return nil
	}
	return body.Refuse("REINS", cite.MountGuideWithKnees, "one hand of %s holds the reins", c.Name)
}

// guided tells whether the knees guide the mount in the present turn of its
// rider, or did in the last one.
func guided(c *eventv1.Creature) bool {
	x := body.Condition(c, CondKnees)
	return x != nil && x.Variant != KneesFailed
}
