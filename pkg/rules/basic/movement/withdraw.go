package movement

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	"github.com/skaldrpg/skald/pkg/rules/basic/holds"
	"github.com/skaldrpg/skald/pkg/rules/basic/order"
	"github.com/skaldrpg/skald/pkg/rules/basic/strike"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"google.golang.org/protobuf/types/known/structpb"
)

// doWithdraw backs away at half movement without a parting shot; those who were
// engaged may follow and so stay in reach.
//
// basic.movement.fighting-withdrawal
func doWithdraw(r *rules.Resolution, at *play.At) error {
	c, take := at.Actor, at.Take
	foes := body.EngagedWith(r.State(), c)
	if stated, ok := spoken.Words(take.Facts, "engaged"); ok {
		foes = stated
	}
	before := r.Count(c.Id, body.CMoved)
	travel(r, at, "withdraw", false)
	var followed []string
	for _, id := range foes {
		if follow(r, id, c.Id, int32(r.Count(c.Id, body.CMoved)-before)) {
			followed = append(followed, id)
		}
	}
	for _, id := range rules.RelatedFrom(r.State(), body.RelFollows, c.Id) {
		if !slices.Contains(followed, id) {
			r.Unrelate(id, body.RelFollows, c.Id, "stays behind", cite.MovementFightingWithdrawal)
		}
	}
	for _, id := range followed {
		r.Relate(id, &eventv1.Relation{Kind: body.RelFollows, To: c.Id, Round: r.State().Round, Rule: cite.MovementFightingWithdrawal}, cite.MovementFightingWithdrawal)
	}
	return nil
}

// follow lets one stay in reach of another that backed away by so many feet, and tells
// whether it does.
func follow(r *rules.Resolution, id, leader string, backed int32) bool {
	const rule = cite.MovementFightingWithdrawal
	f, l := r.Creature(id), r.Creature(leader)
	feet := backed
	d, known := body.Measured(f, l)
	if known {
		feet = d - body.EngagedFeet
	}
	switch {
	case feet <= 0:
		return true
	case !body.Able(f) || order.RefuseMoving(f) != nil || f.Counters[body.CMovement] < int64(feet):
		return false
	}
	answer := r.Ask("follow/"+id, rules.About(rules.YesNo(body.DecFollow, id, l.Name+" backs away", "Follow and stay in reach?", body.DecideNo, rule), l.Id))
	if answer.GetOption() != body.DecideYes {
		return false
	}
	if known {
		points := body.Steps(f.Position, []*eventv1.Position{l.Position})
		feet = along(r, id, holds.Way{Points: points[:feet+1], Mode: "follow", Turning: true})
	}
	r.Set(id, body.CMoved, r.Count(id, body.CMoved)+int64(feet), "followed", rule)
	r.Set(id, body.CMovement, max(0, r.Count(id, body.CMovement)-int64(feet)), "followed", rule)
	return body.Up(r.Creature(id))
}

// offerClosing lets those with long weapons strike at one who closes in, on its
// number; the blow is their action of the round.
//
// basic.action.reach-closing
func offerClosing(r *rules.Resolution, mover string, closed []string, facts *structpb.Struct) {
	for _, id := range closed {
		e := r.Creature(id)
		if !body.Opposed(e, r.Creature(mover)) || !mayAnswer(r.State(), e) || order.Unseen(facts) {
			continue
		}
		long := body.Armed(e, func(w *eventv1.BasicWeapon) bool { return w.Kind == "melee" && w.LongReach })
		if len(long) == 0 {
			continue
		}
		const rule = cite.ActionReachClosing
		w, flat := order.Opening{Label: "closing/" + id, Decision: body.DecClosing, Foe: mover, Cause: r.Creature(mover).Name + " closes in", Rule: rule,
			Weapons: long, Flat: true}.Choose(r, e)
		if w != nil {
			answerEarly(r, id, "closing-attack", w.Name, rule)
			strike.Blow{Attacker: id, Target: mover, Weapon: w, Label: "closing-attack/" + id, Subdual: flat, Facts: order.Hidden(facts)}.Strike(r)
		}
	}
}

// mayAnswer tells whether a creature still has its action for an early blow.
//
// basic.turn.declare
func mayAnswer(s *eventv1.State, c *eventv1.Creature) bool {
	return order.Waiting(s, c) && body.RefuseAttacking(s, c) == nil && c.Counters[body.CAction] > 0 &&
		slices.Contains(order.Fighters, order.DeclaredBy(c))
}

// answerEarly spends the action of one who strikes on another's number, so that
// both act at the same time. Whoever held is done with it.
func answerEarly(r *rules.Resolution, id, how, item, rule string) {
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: id, Action: how, Item: item}, rule)
	body.Spend(r, id, how, rule)
	r.Set("", body.CTogether, 1, "", cite.InitiativeTiesSimultaneous)
	if order.HoldsOpen(r.Creature(id)) {
		r.EndBegun(id, body.BWaiting, how, rule)
		r.Set(id, body.CTurn, int64(r.State().Round), "the action is completed", cite.TurnRoundEnds)
	}
}
