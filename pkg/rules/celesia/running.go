package celesia

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// condRunning is on a runner until the start of its next turn.
const condRunning = "running"

const (
	// cRun counts the rounds run in a row, cRunChecks the checks made in them.
	cRun       = "run-rounds"
	cRunChecks = "run-checks"
	// mRun is the round that was last run in.
	mRun = "run"
)

// runActions are the run: four times the speed in a straight line.
func runActions() []*action {
	return []*action{{id: "run", title: "Run", rule: cite.MovementRun, acts: 3, provoke: always, trigger: "move", refuse: refuseRun,
		check: checkRun, parameters: runParameters, do: doRun}}
}

func runParameters(_ *eventv1.State, c *eventv1.Creature) []*eventv1.Parameter {
	return append(pathParameter(nil, nil), choice("mode", "how", false, rules.SortedKeys(c.GetSheet().GetSpeeds())...))
}

// unbalanced tells whether a creature has lost its Dexterity bonus to DV, and
// with it what counts as dodging (a reading).
//
// celesia.condition.flat-footed, celesia.maneuver.grapple-pin, celesia.movement.run-loses-dexterity, celesia.attack.combat-expertise
func unbalanced(c *eventv1.Creature) bool {
	return has(c, condFlatFooted) || has(c, condPinning) || has(c, condPinned) || has(c, condRunning)
}

// refuseRun: on sound legs, on one's feet and held by nobody.
//
// celesia.injury.leg
func refuseRun(_ *eventv1.State, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	switch {
	case lostParts(c, "leg") > 0:
		return refuse("LEG_INJURED", cite.InjuryLeg, "%s cannot run on an injured leg", c.Name)
	case has(c, condProne):
		return refuse("PRONE", cite.MovementStandUp, "%s is prone", c.Name)
	case has(c, condGrappled):
		return refuse("GRAPPLED", cite.ManeuverGrapple, "%s is in a grapple", c.Name)
	}
	return bound(c)
}

// checkRun judges the way: straight, at most four times the speed, to a free
// space.
//
// celesia.movement.run
func checkRun(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	mode := wayOf(c, take)
	if _, ok := c.GetSheet().GetSpeeds()[mode]; !ok {
		return refuse("NO_SPEED", cite.MovementRun, "%s cannot %s%s", c.Name, mode, rules.DidYouMean(mode, rules.SortedKeys(c.GetSheet().GetSpeeds())))
	}
	feet, err := pathLength(c, take)
	if err != nil {
		return err
	}
	if most := 4 * speed(c, mode); feet > most {
		return refuse("TOO_FAR", cite.MovementRun, "the way is %d feet, %s runs %d", feet, c.Name, most)
	}
	if !straight(c.Position, take.Path) {
		return refuse("NOT_STRAIGHT", cite.MovementRun, "a run goes in a straight line")
	}
	return freeEnd(s, c, take)
}

// straight tells whether a way goes on in one direction from its start.
func straight(from *eventv1.Position, way []*eventv1.Position) bool {
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

// doRun runs, unless the endurance check that is due fails. A turn without
// running ends the count of rounds (a reading).
//
// celesia.movement.run, celesia.movement.run-loses-dexterity, celesia.movement.run-endurance
func doRun(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if now := r.State().Round; c.Marks[mRun] != itoa(now) && c.Marks[mRun] != itoa(now-1) {
		r.Set(c.Id, cRun, 0, "not running before", cite.MovementRunEndurance)
		r.Set(c.Id, cRunChecks, 0, "not running before", cite.MovementRunEndurance)
	}
	if !endures(r, c.Id) {
		tire(r, c.Id)
		return nil
	}
	r.Mark(c.Id, mRun, itoa(r.State().Round), cite.MovementRunEndurance)
	r.Set(c.Id, cRun, r.Count(c.Id, cRun)+1, "run", cite.MovementRunEndurance)
	if !has(r.Creature(c.Id), condRunning) {
		r.AddCondition(c.Id, &eventv1.Condition{Name: condRunning, Cause: "run", Until: untilStart(c.Id), Rule: cite.MovementRunLosesDexterity})
	}
	walk(r, r.Creature(c.Id), take, "run")
	return nil
}

// endures makes the Constitution check of a round beyond the Constitution score:
// DC 10, 1 more for each made before. Whoever has no such score does not tire.
//
// celesia.movement.run-endurance
func endures(r *rules.Resolution, id string) bool {
	c := r.Creature(id)
	con, scored := constitution(c)
	if !scored || r.Count(id, cRun) < int64(con) {
		return true
	}
	dc := 10 + int32(r.Count(id, cRunChecks))
	r.Set(id, cRunChecks, r.Count(id, cRunChecks)+1, "endurance", cite.MovementRunEndurance)
	return d20{label: "endurance/" + id, creature: id, reason: "keep running", edges: edgesOf(c, nil, rollKind{roll: rollAbility, name: "constitution"}),
		modifiers: nonzero(mod(constitutionModifier(c), "constitution", cite.MovementRunEndurance)),
		target:    &eventv1.TargetNumber{Kind: "DC", Value: dc}, judge: against(dc), rules: []string{cite.MovementRunEndurance}}.roll(r).Success()
}

// constitutionModifier is that of the current score.
func constitutionModifier(c *eventv1.Creature) int32 {
	con, scored := constitution(c)
	if !scored {
		return 0
	}
	return (con+100)/2 - 55
}

// tire stops a run and staggers the runner for 10 minutes less its Constitution
// bonus, at least one: ten turns each.
//
// celesia.movement.run-failure-staggered
func tire(r *rules.Resolution, id string) {
	minutes := max(1, 10-max(0, constitutionModifier(r.Creature(id))))
	r.Set(id, cRun, 0, "stopped", cite.MovementRunFailureStaggered)
	r.Set(id, cRunChecks, 0, "stopped", cite.MovementRunFailureStaggered)
	r.Note(event.Everyone(), id, "stops running, staggered for "+itoa(minutes)+" minutes", cite.MovementRunFailureStaggered)
	r.AddCondition(id, &eventv1.Condition{Name: condStaggered, Cause: "exhausted by running", Rule: cite.MovementRunFailureStaggered,
		Values: map[string]int32{"minutes": minutes}, Until: &eventv1.Until{When: "start-of-turn", Creature: id, Turns: 10 * minutes}})
}
