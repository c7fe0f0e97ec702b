package flight

import (
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/movement"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// letGo makes a creature fall that one in the air has held and holds no more; set down
// on the ground it stands. It tells whether the creature falls.
//
// rcr.flight.fall-uncontrolled
func letGo(r *rules.Resolution, id string) bool {
	c := r.Creature(id)
	x := rules.RelationTo(c, body.RelAloft, "")
	if x == nil {
		return false
	}
	by := r.Creature(x.To)
	switch held := body.GrappledBy(c, x.To) != nil; {
	case held && body.Flies(by):
		return false
	case held || body.Airborne(c):
		r.Unrelate(id, body.RelAloft, x.To, "it is held in the air no more")
		return false
	}
	return drop(r, id, by)
}

// drop makes a creature fall from where another has held it.
func drop(r *rules.Resolution, id string, by *eventv1.Creature) bool {
	c, height := r.Creature(id), body.Altitude(by)
	if c.Position != nil {
		height = max(0, c.Position.Z-int32(by.GetCounters()[body.CGround]))
	}
	r.Unrelate(id, body.RelAloft, "", "nothing holds it in the air", cite.FlightFallUncontrolled)
	r.Mark(id, body.MOverWater, by.GetMarks()[body.MOverWater], cite.UnderwaterDiveIntoWater)
	return Loose(r, id, "nothing holds it in the air", height)
}

// dropAll lets fall all whom a flyer holds in the air that begins to fall itself.
//
// rcr.flight.fall-uncontrolled
func dropAll(r *rules.Resolution, by string) {
	for _, id := range rules.RelatedFrom(r.State(), body.RelAloft, by) {
		if x := body.GrappledBy(r.Creature(id), by); x != nil {
			r.RemoveCondition(id, x, "its holder falls", cite.ConditionReplaceBase)
		}
		drop(r, id, r.Creature(by))
	}
}

// Thrust answers that something has moved a creature against its will: where that is
// into the space of another, those of the two that fly save.
//
// rcr.flight.collision-save
func Thrust(r *rules.Resolution, id, _ string, _ int32) bool {
	for _, other := range rules.SortedKeys(r.State().Creatures) {
		c, o := r.Creature(id), r.Creature(other) // as the collision before has left them
		if other == id || body.Dead(o) || body.Seat(o) != nil || body.Seat(c) != nil || !movement.Overlap(c, c.Position, o) {
			continue
		}
		w := WeatherOf(r.State(), nil)
		Collide(r, id, other, w)
		Collide(r, other, id, w)
	}
	return false
}
