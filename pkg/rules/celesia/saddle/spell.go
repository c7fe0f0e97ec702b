package saddle

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/answers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	"github.com/skaldrpg/skald/pkg/rules/celesia/injury"
	"github.com/skaldrpg/skald/pkg/rules/celesia/items"
	"github.com/skaldrpg/skald/pkg/rules/celesia/magic"
	"github.com/skaldrpg/skald/pkg/rules/celesia/manners"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// SpellActions cast spells.
func SpellActions() []*strike.Action {
	return slices.Concat([]*strike.Action{
		{Action: play.Action{ID: "cast", Title: "Cast", Rule: cite.SpellStandard, Group: play.GroupMagic, Trigger: "cast", CostOf: body.Priced(magic.CastCost),
			Items: body.Ways(magic.SpellNames), Range: items.UpTo(magic.CastTargets), Self: true, Refuse: body.Bars(magic.RefuseCast), RefuseTarget: injury.AimedWhole(answers.Aimed(magic.RefuseCast)),
			Fields: strike.SaddleFields, Do: items.Paid(doCast),
			Area: func(at *play.At) *eventv1.Area {
				return house.AreaOf(at.Content, body.SpellOf(at.Actor, at.Item()).GetUse())
			}}, Provoke: magic.CastProvokes, Before: magic.CastDefensively, Spans: func(c *eventv1.Creature, take *eventv1.TakeAction) bool {
			return body.SpellOf(c, take.Item).GetCasting() == "1-round"
		}},
		{Action: play.Action{ID: "continue-casting", Title: "Finish a 1-round spell", Rule: cite.ActionOneRoundSplit, Group: play.GroupMagic, Costs: body.Acts(1),
			Traits: checks.Task, Refuse: body.Bars(magic.RefuseRest), Do: items.Paid(doRest)}},
	}, lastingActions(), deviceActions(), magusActions())
}

// doCast casts a spell, or begins one that takes a round.
//
// celesia.reaction.counterspell, celesia.action.one-round-frame
func doCast(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction, acts int32) error {
	sp := body.SpellOf(c, take.Item)
	if sp.Uses > 0 {
		r.Set(c.Id, body.CLeft+sp.Name, r.Count(c.Id, body.CLeft+sp.Name)-1, "cast")
	}
	if sp.OncePerTurn {
		manners.Remember(r, c.Id, sp.Name)
	}
	if magic.Barring(sp) {
		manners.Remember(r, c.Id, "cast")
	}
	switch {
	case items.Thwarted(r, c.Id):
	case !keptInSaddle(r, c.Id, sp, take):
	case sp.Casting == "1-round":
		magic.BeginOneRound(r, c.Id, take, acts-sp.ComponentActs)
	default:
		takeEffect(r, c, sp, take.Targets, take)
		magic.KeepTouch(r, c.Id, sp)
	}
	return nil
}

// CompleteOneRound lets a 1-round action that took the whole turn before take
// effect now.
//
// celesia.action.one-round-frame
func CompleteOneRound(r *rules.Resolution, id string) {
	if b := answers.Rounding(r.Creature(id)); b != nil && answers.ActsLeft(b) == 0 {
		finishOneRound(r, id, nil)
	}
}

// finishOneRound has a spell take effect on the situation as it is now: whoever
// has gone out of its range is out of its reach (a reading). What was stated when it
// was begun counts, and what is stated now.
//
// celesia.action.one-round-frame
func finishOneRound(r *rules.Resolution, id string, now []*eventv1.Circumstance) {
	c := r.Creature(id)
	b := answers.Rounding(c)
	if b.Kind == body.BegunLoading {
		manners.FinishLoading(r, id)
		return
	}
	sp := body.SpellOf(c, b.Action.GetItem())
	targets := slices.DeleteFunc(slices.Clone(b.Action.GetTargets()), func(at string) bool {
		return body.Dead(r.Creature(at)) || sp != nil && items.RefuseRange(c, r.Creature(at), sp, nil) != nil
	})
	r.EndBegun(id, body.BegunCasting, "done", cite.ActionOneRoundFrame)
	if sp == nil || len(targets) == 0 {
		r.Note(event.Everyone(), id, "the spell finds no target", cite.ActionOneRoundFrame)
		return
	}
	takeEffect(r, c, sp, targets, &eventv1.TakeAction{Creature: id, Circumstances: slices.Concat(b.Action.GetCircumstances(), now), Facts: b.Action.GetFacts()})
	magic.KeepTouch(r, id, sp)
}

// doRest pays the acts that are left and completes the spell.
//
// celesia.action.one-round-split
func doRest(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction, acts int32) error {
	if more := answers.ActsLeft(answers.Rounding(c)) - acts; more > 0 {
		r.Set(c.Id, body.CSpent, r.Count(c.Id, body.CSpent)+int64(more), "the rest of the casting")
		r.Set(c.Id, body.CActs, r.Count(c.Id, body.CActs)-int64(more), "the rest of the casting")
	}
	finishOneRound(r, c.Id, take.Circumstances)
	return nil
}
