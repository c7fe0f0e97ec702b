package strike

import (
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/answers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	"github.com/skaldrpg/skald/pkg/rules/celesia/manners"
	"github.com/skaldrpg/skald/pkg/rules/play"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// UnderwayActions carry on or give up an action that was begun with a part of
// its acts.
func UnderwayActions() []*Action {
	return []*Action{
		{Action: play.Action{ID: "finish-action", Title: "Finish the action under way", Rule: answers.RuleClasses, Group: play.GroupWait,
			CostOf: body.Priced(func(c *eventv1.Creature, _ *eventv1.TakeAction) int32 {
				return answers.ActsLeft(answers.BegunWithPart(c))
			}), Traits: checks.WhileHolding | checks.Whole,
			Refuse: body.Bars(refuseFinish), Do: body.Done(doFinish)}},
		{Action: play.Action{ID: "give-up-action", Title: "Give up the action under way", Rule: answers.RuleClasses, Group: play.GroupWait, Traits: checks.WhileHolding | checks.Whole,
			Refuse: body.Bars(answers.RefuseGiveUp), Do: body.Done(doGiveUp)}},
	}
}

// inParts tells whether an action may be begun with a part of its acts: one of 2
// or 3 in a row. What spans turns has ways of its own, and readying ends the turn:
// none of those takes the word.
//
// celesia.turn.action-classes
func (a *Action) inParts(at *play.At) bool {
	c, take, cost := at.Actor, at.Take, a.Cost(at, body.CActs)
	return cost > 1 && cost <= 3 && body.SpellOf(c, take.Item).GetCasting() != "1-round" && !(a.ID == "load-firearm" && manners.RoundLoad(body.WeaponOf(c, take.Item)))
}

// checkPart judges with how many acts an action is begun.
func (a *Action) checkPart(at *play.At) error {
	n, given := at.Number(checks.ParamCommit)
	if !given {
		return nil
	}
	if cost := a.Cost(at, body.CActs); !a.inParts(at) || n >= cost {
		return fault.Field("take.parameters."+checks.ParamCommit, "%s takes %d acts: it cannot be begun with %d of them", a.Title, cost, n)
	}
	return nil
}

// underway is the action that a creature has begun, and its command; nil without
// one.
func underway(c *eventv1.Creature) (*Action, *eventv1.TakeAction) {
	b := answers.BegunWithPart(c)
	a := ActionOf(b.GetAction().GetAction())
	if a == nil {
		return nil, nil
	}
	return a, b.Action
}

// refuseBreak: while an action is under way no other act comes between its
// own.
//
// celesia.turn.action-classes, celesia.action.standard-consecutive
func refuseBreak(c *eventv1.Creature, a *Action, cost int32) error {
	if under, _ := underway(c); under != nil && cost > 0 && a.ID != "finish-action" {
		return body.Refuse("UNDER_WAY", answers.RuleClasses, "the acts of %s must follow each other: finish it or give it up", under.Title)
	}
	return nil
}

// refuseFinish: what was begun must still be possible.
func refuseFinish(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if err := answers.RefuseGiveUp(s, c, take); err != nil {
		return err
	}
	a, begun := underway(c)
	if a == nil {
		return nil
	}
	return answers.Fits(s, begun)
}

// doFinish carries out what was begun.
//
// celesia.turn.action-classes
func doFinish(r *rules.Resolution, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	a, take := underway(c)
	if a == nil {
		answers.EndUnderway(r, c.Id, "nothing is known of it")
		return nil
	}
	total := a.ActsOf(r, take)
	answers.EndUnderway(r, c.Id, "finished")
	return CarryThrough(a, r, take, total, true)
}

func doGiveUp(r *rules.Resolution, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	DropUnderway(r, c.Id, "given up")
	return nil
}

// DropUnderway ends an action that is never finished; the acts put into it are
// spent.
//
// celesia.turn.action-classes
func DropUnderway(r *rules.Resolution, id, why string) {
	a, _ := underway(r.Creature(id))
	if a == nil {
		return
	}
	answers.EndUnderway(r, id, why)
	r.Note(event.Everyone(), id, a.Title+" is not finished: "+why, answers.RuleClasses)
	answers.Abandon(r, id)
}
