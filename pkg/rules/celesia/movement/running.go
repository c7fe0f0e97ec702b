package movement

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/answers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	"github.com/skaldrpg/skald/pkg/rules/celesia/maneuvers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// RefuseRun: on sound legs, on one's feet and held by nobody.
//
// celesia.injury.leg
func RefuseRun(_ *eventv1.State, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	switch {
	case body.LostParts(c, "leg") > 0:
		return body.Refuse("LEG_INJURED", cite.InjuryLeg, "%s cannot run on an injured leg", c.Name)
	case body.Has(c, body.CondProne):
		return body.Refuse("PRONE", cite.MovementStandUp, "%s is prone", c.Name)
	case body.Has(c, body.CondGrappled):
		return body.Refuse("GRAPPLED", cite.ManeuverGrapple, "%s is in a grapple", c.Name)
	}
	return answers.Bound(c)
}

// CheckRun judges the way: straight, at most four times the speed, through nobody's
// space but those of friends, to a free space.
//
// celesia.movement.run, celesia.maneuver.overrun
func CheckRun(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	mode := body.WayOf(c, take)
	if _, ok := c.GetSheet().GetSpeeds()[mode]; !ok {
		return body.Refuse("NO_SPEED", cite.MovementRun, "%s cannot %s%s", c.Name, mode, rules.DidYouMean(mode, rules.SortedKeys(c.GetSheet().GetSpeeds())))
	}
	feet, err := answers.PathLength(c, take)
	if err != nil {
		return err
	}
	if most := 4 * body.Speed(c, mode); feet > most {
		return body.Refuse("TOO_FAR", cite.MovementRun, "the way is %d feet, %s runs %d", feet, c.Name, most)
	}
	if !Straight(c.Position, take.Path) {
		return body.Refuse("NOT_STRAIGHT", cite.MovementRun, "a run goes in a straight line")
	}
	if err := maneuvers.RefuseThrough(s, c, take, ""); err != nil {
		return err
	}
	return maneuvers.FreeEnd(s, c, take)
}

// Straight tells whether a way goes on in one direction from its start.
func Straight(from *eventv1.Position, way []*eventv1.Position) bool {
	if from == nil || len(way) < 2 {
		return true
	}
	d := func(p, q *eventv1.Position) [3]int64 {
		return [3]int64{int64(q.GetX() - p.GetX()), int64(q.GetY() - p.GetY()), int64(q.GetZ() - p.GetZ())}
	}
	last := d(from, way[len(way)-1])
	at := from
	for _, p := range way {
		v := d(at, p)
		cross := v[0]*last[1] == v[1]*last[0] && v[1]*last[2] == v[2]*last[1] && v[0]*last[2] == v[2]*last[0]
		if !cross || v[0]*last[0]+v[1]*last[1]+v[2]*last[2] < 0 {
			return false
		}
		at = p
	}
	return true
}

// Endures makes the Constitution check of a round beyond the Constitution score:
// DC 10, 1 more for each made before. Whoever has no such score does not tire.
//
// celesia.movement.run-endurance
func Endures(r *rules.Resolution, id string) bool {
	c := r.Creature(id)
	con, scored := body.Constitution(c)
	if !scored || r.Count(id, body.CRun) < int64(con) {
		return true
	}
	dc := 10 + int32(r.Count(id, body.CRunChecks))
	r.Set(id, body.CRunChecks, r.Count(id, body.CRunChecks)+1, "endurance", cite.MovementRunEndurance)
	return checks.D20{Label: "endurance/" + id, Creature: id, Reason: "keep running", Edges: strike.EdgesOf(r.Content(), c, nil, body.RollKind{Roll: checks.RollAbility, Name: "constitution"}),
		Modifiers: body.Nonzero(body.Mod(constitutionModifier(c), "constitution", cite.MovementRunEndurance)),
		Target:    &eventv1.TargetNumber{Kind: "DC", Value: dc}, Judge: checks.Against(dc), Rules: []string{cite.MovementRunEndurance},
		Point: house.PointCheck + "/constitution"}.Roll(r).Success()
}

// constitutionModifier is that of the current score.
func constitutionModifier(c *eventv1.Creature) int32 {
	con, _ := body.Constitution(c) // who has none does not tire
	return (con+100)/2 - 55
}

// Tire stops a run and staggers the runner for 10 minutes less its Constitution
// bonus, at least one: ten turns each.
//
// celesia.movement.run-failure-staggered
func Tire(r *rules.Resolution, id string) {
	minutes := max(1, 10-max(0, constitutionModifier(r.Creature(id))))
	r.Set(id, body.CRun, 0, "stopped", cite.MovementRunFailureStaggered)
	r.Set(id, body.CRunChecks, 0, "stopped", cite.MovementRunFailureStaggered)
	r.Note(event.Everyone(), id, "stops running, staggered for "+body.Itoa(minutes)+" minutes", cite.MovementRunFailureStaggered)
	body.Inflict(r, id, &eventv1.Condition{Name: body.CondStaggered, Cause: "exhausted by running", Rule: cite.MovementRunFailureStaggered,
		Values: map[string]int32{"minutes": minutes}, Until: &eventv1.Until{When: "start-of-turn", Creature: id, Turns: 10 * minutes}})
}
