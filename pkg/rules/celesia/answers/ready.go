package answers

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Triggers are the words for what may set a readied action off.
// The last is what the game master says has come about.
var Triggers = []string{"attack", "cast", "move", "approach", "stand-up", "maneuver", "any", TriggerStated}

// RefuseDelay says why a turn cannot be delayed: only as the very first thing,
// and not in the surprise round, whose acts come in initiative order (a reading).
//
// celesia.turn.delay, celesia.initiative.no-shift-while-down
func RefuseDelay(s *eventv1.State, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	switch {
	case c.Marks[body.MBegun] != "" || c.Counters[body.CSpent] > 0:
		return body.Refuse("TURN_BEGUN", cite.TurnDelay, "%s has already done something this turn", c.Name)
	case s.Round == 0:
		return body.Refuse("SURPRISE_ROUND", cite.SurpriseActs, "nobody delays in the surprise round")
	}
	return nil
}

// DoDelay marks the turn as over, to be taken later.
func DoDelay(r *rules.Resolution, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	r.Mark(c.Id, body.MOver, "delay")
	return nil
}

// PutOff ends a turn that was not taken: no reaction comes of it.
//
// celesia.turn.delay
func PutOff(r *rules.Resolution, id string) {
	r.Begin(id, &eventv1.Begun{Kind: body.BegunDelayed, Round: r.State().Round, Rule: cite.TurnDelay}, cite.TurnDelay)
	r.Mark(id, body.MBegun, "")
	r.Set(id, body.CActs, 0, "delayed")
	r.Emit(event.Everyone(), &eventv1.TurnEnded{Creatures: []string{id}}, cite.TurnDelay)
}

// CameNear tells whether an actor has come adjacent to a creature, by
// statement or by measure.
func CameNear(c, actor *eventv1.Creature, p checks.Provocation) bool {
	if stated, ok := spoken.Words(p.Take.GetFacts(), "approaches"); ok {
		return slices.Contains(stated, c.Id)
	}
	feet, known := body.Distance(c, actor)
	return known && feet <= 5
}

// DoTotalDefense guards until the start of one's next turn.
//
// celesia.action.total-defense
func DoTotalDefense(r *rules.Resolution, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	body.Lift(r, c.Id, body.CondTotal, "again", cite.ActionTotalDefense)
	r.AddCondition(c.Id, &eventv1.Condition{Name: body.CondTotal, Cause: "total defense", Rule: cite.ActionTotalDefense,
		Until: checks.UntilStart(c.Id), Values: map[string]int32{"defense": 5 + body.SheetOf(c).BaseAttack/2}})
	return nil
}

// RefuseDefensive: only at the start of a turn, before any act.
//
// celesia.attack.fighting-defensively
func RefuseDefensive(_ *eventv1.State, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	switch {
	case c.Counters[body.CSpent] > 0:
		return body.Refuse("TURN_BEGUN", cite.AttackFightingDefensively, "only before the first act of the turn")
	case body.Has(c, body.CondDefensive):
		return body.Refuse("ALREADY", cite.AttackFightingDefensively, "%s fights defensively already", c.Name)
	}
	return nil
}

// DoDefensive adds the base attack bonus to DV until the start of one's next turn.
func DoDefensive(r *rules.Resolution, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	r.AddCondition(c.Id, &eventv1.Condition{Name: body.CondDefensive, Cause: "fighting defensively", Rule: cite.AttackFightingDefensively,
		Until: checks.UntilStart(c.Id), Values: map[string]int32{"defense": body.SheetOf(c).BaseAttack}})
	return nil
}
