package celesia

import (
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
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
		{id: "delay", title: "Delay", rule: cite.TurnDelay, refuse: refuseDelay, do: doDelay},
		{id: "ready", title: "Ready an action", rule: cite.ActionReady, listing: readyOptions, cost: readyCost, most: readyTargets,
			refuse: refuseReady, check: checkReady, do: doReady, sealed: true, whole: true},
		{id: "set-off", title: "Set off a readied action", rule: cite.ActionReady, anytime: true, targeted: true, refuse: refuseSetOff, do: doSetOff},
		{id: "total-defense", title: "Total defense", rule: cite.ActionTotalDefense, acts: 2, do: doTotalDefense},
		{id: "fight-defensively", title: "Fight defensively", rule: cite.AttackFightingDefensively,
			refuse: refuseDefensive, do: doDefensive},
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
	r.Mark(id, mDelaying, "yes", cite.TurnDelay)
	r.Mark(id, mBegun, "")
	r.Set(id, cActs, 0, "delayed")
	r.Emit(event.Everyone(), &eventv1.TurnEnded{Creatures: []string{id}}, cite.TurnDelay)
}

// forget ends a readied action.
//
// celesia.action.ready-expiry
func forget(r *rules.Resolution, id, why string) {
	c := r.Creature(id)
	if c.Marks[mReady+"action"] == "" {
		return
	}
	r.Note(event.Controllers(id), id, "the readied action is gone: "+why, cite.ActionReadyExpiry)
	for _, m := range rules.SortedKeys(c.Marks) {
		if strings.HasPrefix(m, mReady) {
			r.Mark(id, m, "", cite.ActionReadyExpiry)
		}
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
