package mounts

import (
	"math"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	"github.com/skaldrpg/skald/pkg/rules/rcr/movement"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// RefuseWay says why a mount does not go a way: toward danger, when it flees, or when it
// is controlled without being brave or urged. What danger is the caller says: by the fact, or once for the
// fight of creatures on the map.
//
// rcr.mount.brave-approach
func RefuseWay(s *eventv1.State, m *eventv1.Creature, take *eventv1.TakeAction) error {
	if body.Has(m, condBolting) {
		return refuseFlight(s, m, take)
	}
	if body.UnderRein(s, m) == nil || body.HasMountTrait(m, body.MountBrave) || m.Marks[body.MUrged] != "" {
		return nil
	}
	danger := spoken.Truth(take.GetFacts(), "toward_danger")
	if _, said := take.GetFacts().GetFields()["toward_danger"]; !said {
		danger = nearsDanger(s, m, take.GetPath())
	}
	if danger {
		return body.Refuse("NOT_BRAVE", cite.MountBraveApproach, "%s will not go toward danger: urge it first", m.Name)
	}
	return nil
}

// refuseFlight says why a mount that flees does not go a way: where it ends it would be
// nearer to the nearest of those it flees from than where it began (a reading); or, as
// stated, it leads toward danger. One who is round about it may go anywhere that is no
// nearer.
//
// rcr.mount.buck-flee, rcr.mount.fierce-dismounted
func refuseFlight(s *eventv1.State, m *eventv1.Creature, take *eventv1.TakeAction) error {
	danger := spoken.Truth(take.GetFacts(), "toward_danger")
	if n := len(take.GetPath()); n > 0 && take.GetFacts().GetFields()["toward_danger"] == nil {
		danger = nearest(s, m, take.Path[n-1]) < nearest(s, m, m.Position)
	}
	if danger {
		return body.Refuse("BOLTING", boltingRule(m), "%s flees: not toward danger", m.Name)
	}
	return nil
}

// nearest is how far a mount at a place would be from the nearest of those that it
// flees from: its enemies that it knows of and that can do anything, and what is said
// to be a danger; none is as far as can be.
func nearest(s *eventv1.State, m *eventv1.Creature, at *eventv1.Position) int32 {
	feet := int32(math.MaxInt32)
	// order-free: the least of all
	for _, o := range s.Creatures {
		threat := body.Hostile(m, o) && !body.Incapacitated(o) && !body.Has(o, body.CondHidden)
		if o.Position != nil && !body.Dead(o) && (threat || o.Marks[body.MDanger] != "") {
			feet = min(feet, body.Between(m, at, o, o.Position))
		}
	}
	return feet
}

// nearsDanger tells whether a way comes nearer to a danger, step by step.
func nearsDanger(s *eventv1.State, m *eventv1.Creature, path []*eventv1.Position) bool {
	for _, id := range rules.SortedKeys(s.Creatures) {
		o := s.Creatures[id]
		if o.Marks[body.MDanger] == "" || o.Position == nil || body.Dead(o) {
			continue
		}
		at := m.Position
		for _, p := range movement.Steps(at, path) {
			if body.Between(m, p, o, o.Position) < body.Between(m, at, o, o.Position) {
				return true
			}
			at = p
		}
	}
	return false
}

// RefuseStop says why a controlled mount cannot stop where a way ends: in another's
// space it must have the movement to leave again, since it cannot end its turn there.
// left is its movement after the way, foot what a foot of it costs.
//
// rcr.mount.overlap-no-end
func RefuseStop(s *eventv1.State, m *eventv1.Creature, take *eventv1.TakeAction, left, foot int32) error {
	if body.UnderRein(s, m) == nil {
		return nil
	}
	need, over := int32(0), ""
	if stated := checks.StatedIDs(take.GetFacts(), "ends_in_space_of"); len(stated) > 0 {
		need, over = 5*foot, stated[0]
	} else if n := len(take.GetPath()); n > 0 {
		over = movement.Overlapped(s, m, take.Path[n-1])
		need = wayOut(s, m, take.Path[n-1], foot)
	}
	if over != "" && left < need {
		return body.Refuse("SPACE_TAKEN", cite.MountOverlapNoEnd, "%s could not leave the space of %s again: that takes %d feet of movement", m.Name, s.Creatures[over].GetName(), need)
	}
	return nil
}

// farthestOut is how many squares away a mount looks for a way out of others' spaces.
const farthestOut = 20

// wayOut is the least movement that brings a mount out of the spaces of others: that to
// the last square it looks at where it finds none.
func wayOut(s *eventv1.State, m *eventv1.Creature, from *eventv1.Position, foot int32) int32 {
	free := func(n int32) bool {
		for x := int32(-1); x <= 1; x++ {
			for y := int32(-1); y <= 1; y++ {
				if movement.Overlapped(s, m, &eventv1.Position{X: from.X + 5*n*x, Y: from.Y + 5*n*y, Z: from.Z}) == "" {
					return true
				}
			}
		}
		return false
	}
	n := int32(1)
	for n < farthestOut && !free(n) {
		n++
	}
	return 5*n*foot + 5*(n-1)
}

// RefuseEnd says why a turn cannot end: a mount's part ends with its rider's turn, and
// a rider's does not while its mount stands in another's space and can still leave it. One that something has since held fast there stays
// (a reading).
//
// rcr.mount.overlap-no-end
func RefuseEnd(s *eventv1.State, rider *eventv1.Creature) error {
	if by := body.UnderRein(s, rider); by != nil {
		return body.Refuse("NOT_YOUR_TURN", cite.MountSharedInitiative, "%s acts in the turn of %s", rider.Name, by.Name)
	}
	m := body.MountOf(s, rider)
	if body.UnderRein(s, m) == nil {
		return nil
	}
	over := movement.Overlapped(s, m, m.Position)
	if ids := rules.RelatedTo(m, body.RelOver); len(ids) > 0 {
		over = ids[0]
	}
	if over == "" || movement.MovementLeft(s, m, "walk") < 5 || body.Incapacitated(m) {
		return nil
	}
	return body.Refuse("SPACE_TAKEN", cite.MountOverlapNoEnd, "%s is in the space of %s and must move on", m.Name, s.Creatures[over].GetName())
}

// Stood notes in whose spaces a mount was stated to end its way.
//
// rcr.mount.overlap-move
func Stood(r *rules.Resolution, id string, take *eventv1.TakeAction) {
	for _, to := range rules.RelatedTo(r.Creature(id), body.RelOver) {
		r.Unrelate(id, body.RelOver, to, "it moves on", cite.MountOverlapMove)
	}
	for _, rider := range body.RidersOf(r.State(), id) {
		body.EndDistantGrapples(r, rider) // whom they hold, and who holds them, stays behind
	}
	if body.UnderRein(r.State(), r.Creature(id)) == nil {
		return
	}
	for _, to := range checks.StatedIDs(take.GetFacts(), "ends_in_space_of") {
		r.Relate(id, &eventv1.Relation{Kind: body.RelOver, To: to, Round: r.State().Round, Rule: cite.MountOverlapMove}, cite.MountOverlapMove)
	}
}
