package celesia

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

const ruleClasses = cite.TurnActionClasses

// paramCommit is the parameter that begins an action with a part of its acts.
const paramCommit = "commit"

// underwayActions carry on or give up an action that was begun with a part of
// its acts.
func underwayActions() []*action {
	return []*action{
		{Action: play.Action{ID: "finish-action", Title: "Finish the action under way", Rule: ruleClasses, Group: play.GroupWait,
			CostOf: priced(func(c *eventv1.Creature, _ *eventv1.TakeAction) int32 { return actsLeft(begunWithPart(c)) }), Traits: whileHolding | whole,
			Refuse: bars(refuseFinish), Do: done(doFinish)}},
		{Action: play.Action{ID: "give-up-action", Title: "Give up the action under way", Rule: ruleClasses, Group: play.GroupWait, Traits: whileHolding | whole,
			Refuse: bars(refuseGiveUp), Do: done(doGiveUp)}},
	}
}

// inParts tells whether an action may be begun with a part of its acts: one of 2
// or 3 in a row. What spans turns has ways of its own, and readying ends the turn.
//
// celesia.turn.action-classes
func (a *action) inParts(c *eventv1.Creature, take *eventv1.TakeAction) bool {
	cost := a.costOf(c, take)
	return cost > 1 && cost <= 3 && !a.Is(whole) && !a.Is(task) &&
		spellOf(c, take.Item).GetCasting() != "1-round" && !(a.ID == "load-firearm" && roundLoad(weaponOf(c, take.Item)))
}

// checkPart judges with how many acts an action is begun.
func (a *action) checkPart(c *eventv1.Creature, take *eventv1.TakeAction) error {
	n, given := spoken.Number(take.GetParameters(), paramCommit)
	if !given {
		return nil
	}
	if cost := a.costOf(c, take); !a.inParts(c, take) || n < 1 || n >= cost {
		return fault.Field("take.parameters."+paramCommit, "%s takes %d acts: it cannot be begun with %d of them", a.Title, cost, n)
	}
	return nil
}

// beginPart takes a part of the acts of an action: it is told and answered by those
// whom it provokes, and goes on with the rest of its acts.
//
// celesia.turn.action-classes
func beginPart(a *action, r *rules.Resolution, take *eventv1.TakeAction, part, cost int32) {
	id := take.Creature
	if !openAction(a, r, take, part, true) {
		return
	}
	// What it is everyone has been told; the rest of its command is its controllers'.
	told := &eventv1.TakeAction{Creature: id, Action: take.Action, Item: take.Item, Targets: take.Targets}
	for _, known := range []struct {
		to   *eventv1.Audience
		take *eventv1.TakeAction
	}{{event.Everyone(), told}, {event.Controllers(id), take}} {
		r.Emit(known.to, &eventv1.BegunSet{Creature: id, Begun: &eventv1.Begun{Id: begunUnderway, Kind: begunUnderway, Action: known.take,
			Done: part, Needed: cost, Counter: cActs, Until: &eventv1.Until{When: "end-of-turn", Creature: id}, Rule: ruleClasses}}, ruleClasses)
	}
	if disabled(r.Creature(id)) {
		strain(r, id, part)
	}
}

// begunByID is what a creature has begun under an id; nil when there is none.
func begunByID(c *eventv1.Creature, id string) *eventv1.Begun {
	for _, b := range c.GetBegun() {
		if b.Id == id {
			return b
		}
	}
	return nil
}

// begunWithPart is the action that a creature has begun with a part of its acts;
// nil without one.
func begunWithPart(c *eventv1.Creature) *eventv1.Begun { return begunByID(c, begunUnderway) }

// actsLeft is how many acts something begun still takes.
func actsLeft(b *eventv1.Begun) int32 { return b.GetNeeded() - b.GetDone() }

// underway is the action that a creature has begun, and its command; nil without
// one.
func underway(c *eventv1.Creature) (*action, *eventv1.TakeAction) {
	b := begunWithPart(c)
	a := actionOf(b.GetAction().GetAction())
	if a == nil || a.Is(whole) {
		return nil, nil
	}
	return a, b.Action
}

// refuseBreak: while an action is under way no other act comes between its
// own.
//
// celesia.turn.action-classes, celesia.action.standard-consecutive
func refuseBreak(c *eventv1.Creature, a *action, cost int32) error {
	if under, _ := underway(c); under != nil && cost > 0 && a.ID != "finish-action" {
		return refuse("UNDER_WAY", ruleClasses, "the acts of %s must follow each other: finish it or give it up", under.Title)
	}
	return nil
}

func refuseGiveUp(_ *eventv1.State, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	if begunWithPart(c) == nil {
		return refuse("NOTHING_UNDER_WAY", ruleClasses, "%s has begun no action", c.Name)
	}
	return nil
}

// refuseFinish: what was begun must still be possible.
func refuseFinish(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if err := refuseGiveUp(s, c, take); err != nil {
		return err
	}
	a, begun := underway(c)
	if a == nil {
		return nil
	}
	return fits(s, begun)
}

// doFinish carries out what was begun.
//
// celesia.turn.action-classes
func doFinish(r *rules.Resolution, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	a, take := underway(c)
	if a == nil {
		endUnderway(r, c.Id, "nothing is known of it")
		return nil
	}
	total := a.costOf(c, take)
	endUnderway(r, c.Id, "finished")
	return carryThrough(a, r, take, total, true)
}

func doGiveUp(r *rules.Resolution, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	dropUnderway(r, c.Id, "given up")
	return nil
}

// dropUnderway ends an action that is never finished; the acts put into it are
// spent.
//
// celesia.turn.action-classes
func dropUnderway(r *rules.Resolution, id, why string) {
	a, _ := underway(r.Creature(id))
	if a == nil {
		return
	}
	endUnderway(r, id, why)
	r.Note(event.Everyone(), id, a.Title+" is not finished: "+why, ruleClasses)
	abandon(r, id)
}

func endUnderway(r *rules.Resolution, id, outcome string) {
	r.Emit(event.Everyone(), &eventv1.BegunEnded{Creature: id, Id: begunUnderway, Outcome: outcome}, ruleClasses)
}
