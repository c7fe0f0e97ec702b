package flight

import (
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	"github.com/skaldrpg/skald/pkg/rules/rcr/dice"
	"github.com/skaldrpg/skald/pkg/rules/rcr/injuries"
	"github.com/skaldrpg/skald/pkg/rules/rcr/movement"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Met carries out what a leg runs into: those whose controlled space it newly
// reaches, and an obstacle at the end.
//
// rcr.flight.overflight-clearance, rcr.flight.space-not-controlled
func (k *course) Met(r *rules.Resolution, leg int, from, to *eventv1.Position, spaces []string, written func()) bool {
	ids := spaces
	if to != nil && spaces == nil {
		ids = reached(r.State(), r.Creature(k.id), from, to)
	}
	last := leg == len(k.pieces)-1 && spoken.Truth(k.take.Facts, "obstacle")
	if len(ids) == 0 && !last {
		return true
	}
	written()
	for _, id := range ids {
		Collide(r, k.id, id, k.weather)
		Collide(r, id, k.id, k.weather)
		if k.diving && to == nil {
			r.Flag(k.id, body.MInside, true, cite.FlightAdvDiveNoEndInside)
		}
	}
	if last {
		Collide(r, k.id, "", k.weather)
	}
	return k.Goes(r)
}

// reached lists those whose controlled space a creature newly reaches by a step.
func reached(s *eventv1.State, c *eventv1.Creature, from, to *eventv1.Position) (ids []string) {
	for _, id := range rules.SortedKeys(s.Creatures) {
		o := s.Creatures[id]
		if id != c.Id && !body.Dead(o) && movement.Overlap(c, to, o) && !movement.Overlap(c, from, o) {
			ids = append(ids, id)
		}
	}
	return ids
}

// Crossing lets flyers whose space a walker reaches save against the collision.
//
// rcr.flight.collision-save
func Crossing(r *rules.Resolution, mover string, from, to *eventv1.Position, spaces []string) {
	ids := spaces
	if to != nil && spaces == nil {
		ids = reached(r.State(), r.Creature(mover), from, to)
	}
	for _, id := range ids {
		Collide(r, id, mover, WeatherOf(r.State(), nil))
	}
}

// Collide lets a flyer save against a collision with another creature, or with an
// obstacle when none is named; whoever does not fly has nothing to fear. What it holds,
// bears or rides it does not collide with.
//
// rcr.flight.collision-save, rcr.flight.collision-auto-success, rcr.flight.adv-dive-impact-risk
func Collide(r *rules.Resolution, id, other string, w Weather) {
	const rule = cite.FlightCollisionSave
	c := r.Creature(id)
	if !body.Flies(c) || body.Dead(c) {
		return
	}
	against := "an obstacle"
	if o := r.Creature(other); o != nil {
		if linked(c, o) || linked(o, c) {
			return
		}
		against = o.Name
		if movement.SizesApart(c, o) >= 2 {
			r.Note(checks.SeenMoving(c), id, c.Name+" brushes past "+o.Name, cite.FlightCollisionAutoSuccess)
			return
		}
	}
	rise, why := Rise(r.State(), c, w)
	saved := dice.RollSave(r, "collision/"+id, c, "strength", 15+rise, "", nil, body.SaveOpts{Reason: "collision with " + against, Rules: cited(rule, why)})
	if saved.Success() {
		return
	}
	res := r.Harm("collision/harm/"+id, &eventv1.Harm{Deed: body.DeedSetback, Target: id, Cause: "collision with " + against,
		Facts: map[string]string{"grade": checks.GradeMinor}})
	movement.KeepPace(r, id)
	BeginFall(r, id, "the collision", rule)
	injuries.AfterHarm(r, id, nil, res)
}

// linked tells whether one creature rides or holds another.
func linked(c, o *eventv1.Creature) bool {
	return rules.RelationTo(c, body.RelRides, o.Id) != nil || body.GrappledBy(o, c.Id) != nil
}

// cited are rules without the empty ones.
func cited(ids ...string) (out []string) {
	for _, id := range ids {
		if id != "" {
			out = append(out, id)
		}
	}
	return out
}

// say notes something that everybody sees.
func say(r *rules.Resolution, id, text string, ruleIDs ...string) {
	r.Note(event.Everyone(), id, r.Creature(id).Name+text, ruleIDs...)
}
