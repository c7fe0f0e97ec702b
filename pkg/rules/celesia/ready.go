package celesia

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// condCountered is on a caster whose spell was countered, until it is cast.
const condCountered = "countered"

// triggers are the words for what may set a readied action off.
// The last is what the game master says has come about.
var triggers = []string{"attack", "cast", "move", "approach", "stand-up", "maneuver", "any", triggerStated}

// turnActions are what bears on turns: delaying, readying, defending.
func turnActions() []*action {
	return []*action{
		{Action: play.Action{ID: "delay", Title: "Delay", Rule: cite.TurnDelay, Group: play.GroupWait, Refuse: bars(refuseDelay), Do: done(doDelay)}},
		{Action: play.Action{ID: "ready", Title: "Ready an action", Rule: cite.ActionReady, Group: play.GroupWait, CostOf: priced(readyCost), Items: readyItems,
			Range: readyTargets, Self: true, Traits: sealed | whole, Refuse: refuseReady, RefuseTarget: refuseReadyTarget, Fields: readyFields, Check: checkReady,
			Choices: readyChoices, Do: done(doReady)}},
		{Action: play.Action{ID: "set-off", Title: "Set off a readied action", Rule: cite.ActionReady, Group: play.GroupReferee, Least: 1, Most: 1, Anytime: true,
			Referee: true, Refuse: bars(refuseSetOff), RefuseTarget: aimed(refuseSetOff), Do: done(doSetOff)}},
		{Action: play.Action{ID: "total-defense", Title: "Total defense", Rule: cite.ActionTotalDefense, Group: play.GroupDefend, Costs: acts(2),
			Do: done(doTotalDefense)}},
		{Action: play.Action{ID: "fight-defensively", Title: "Fight defensively", Rule: cite.AttackFightingDefensively, Group: play.GroupDefend,
			Refuse: bars(refuseDefensive), Do: done(doDefensive)}},
	}
}

// refuseDelay says why a turn cannot be delayed: only as the very first thing,
// and not in the surprise round, whose acts come in initiative order (a reading).
//
// celesia.turn.delay, celesia.initiative.no-shift-while-down
func refuseDelay(s *eventv1.State, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	switch {
	case c.Marks[mBegun] != "" || c.Counters[cSpent] > 0:
		return refuse("TURN_BEGUN", cite.TurnDelay, "%s has already done something this turn", c.Name)
	case s.Round == 0:
		return refuse("SURPRISE_ROUND", cite.SurpriseActs, "nobody delays in the surprise round")
	}
	return nil
}

func doDelay(r *rules.Resolution, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	r.Mark(c.Id, mOver, "delay")
	return nil
}

// putOff ends a turn that was not taken: no reaction comes of it.
//
// celesia.turn.delay
func putOff(r *rules.Resolution, id string) {
	r.Begin(id, &eventv1.Begun{Kind: begunDelayed, Round: r.State().Round, Rule: cite.TurnDelay}, cite.TurnDelay)
	r.Mark(id, mBegun, "")
	r.Set(id, cActs, 0, "delayed")
	r.Emit(event.Everyone(), &eventv1.TurnEnded{Creatures: []string{id}}, cite.TurnDelay)
}

// forget ends a readied action.
//
// celesia.action.ready-expiry
func forget(r *rules.Resolution, id, why string) {
	if r.EndBegun(id, begunReadied, why, cite.ActionReadyExpiry) != nil {
		r.Note(event.Controllers(id), id, "the readied action is gone: "+why, cite.ActionReadyExpiry)
	}
}

// cameNear tells whether an actor has come adjacent to a creature, by
// statement or by measure.
func cameNear(c, actor *eventv1.Creature, p provocation) bool {
	if stated, ok := spoken.Words(p.take.GetFacts(), "approaches"); ok {
		return slices.Contains(stated, c.Id)
	}
	feet, known := distance(c, actor)
	return known && feet <= 5
}

// doTotalDefense guards until the start of one's next turn.
//
// celesia.action.total-defense
func doTotalDefense(r *rules.Resolution, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	lift(r, c.Id, condTotal, "again", cite.ActionTotalDefense)
	r.AddCondition(c.Id, &eventv1.Condition{Name: condTotal, Cause: "total defense", Rule: cite.ActionTotalDefense,
		Until: untilStart(c.Id), Values: map[string]int32{"defense": 5 + sheetOf(c).BaseAttack/2}})
	return nil
}

// refuseDefensive: only at the start of a turn, before any act.
//
// celesia.attack.fighting-defensively
func refuseDefensive(_ *eventv1.State, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	switch {
	case c.Counters[cSpent] > 0:
		return refuse("TURN_BEGUN", cite.AttackFightingDefensively, "only before the first act of the turn")
	case has(c, condDefensive):
		return refuse("ALREADY", cite.AttackFightingDefensively, "%s fights defensively already", c.Name)
	}
	return nil
}

func doDefensive(r *rules.Resolution, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	r.AddCondition(c.Id, &eventv1.Condition{Name: condDefensive, Cause: "fighting defensively", Rule: cite.AttackFightingDefensively,
		Until: untilStart(c.Id), Values: map[string]int32{"defense": sheetOf(c).BaseAttack}})
	return nil
}

// untilStart is the start of a creature's next turn.
func untilStart(id string) *eventv1.Until { return &eventv1.Until{When: "start-of-turn", Creature: id} }
