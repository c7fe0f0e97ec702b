package basic

import (
	"slices"
	"strings"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// doWithdraw backs away at half movement without a parting shot; those who were
// engaged may follow and so stay in reach.
//
// basic.movement.fighting-withdrawal
func doWithdraw(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	foes := engagedWith(r.State(), c)
	if stated, ok := spoken.Words(take.Facts, "engaged"); ok {
		foes = stated
	}
	before := r.Count(c.Id, cMoved)
	if err := travel(r, c, take, "withdraw", false); err != nil {
		return err
	}
	var followed []string
	for _, id := range foes {
		if f := r.Creature(id); f != nil && opposed(c, f) && follow(r, id, c.Id, int32(r.Count(c.Id, cMoved)-before)) {
			followed = append(followed, id)
		}
	}
	r.Mark(c.Id, mFollowed, strings.Join(followed, " "), cite.MovementFightingWithdrawal)
	return nil
}

// follow lets one stay in reach of another that backed away by so many feet, and tells
// whether it does.
func follow(r *rules.Resolution, id, leader string, backed int32) bool {
	const rule = cite.MovementFightingWithdrawal
	f, l := r.Creature(id), r.Creature(leader)
	feet := backed
	d, known := measured(f, l)
	if known {
		feet = d - engagedFeet
	}
	switch {
	case feet <= 0:
		return true
	case !able(f) || refuseMoving(f) != nil || f.Counters[cMovement] < int64(feet):
		return false
	}
	answer := r.Ask("follow/"+id, rules.YesNo(decFollow, id, l.Name+" backs away", "Follow and stay in reach?", decideNo, rule))
	if answer.GetOption() != decideYes {
		return false
	}
	if known {
		points := steps(f.Position, []*eventv1.Position{l.Position})
		feet = along(r, id, way{points: points[:feet+1], mode: "follow", turning: true})
	}
	r.Set(id, cMoved, r.Count(id, cMoved)+int64(feet), "followed", rule)
	r.Set(id, cMovement, max(0, r.Count(id, cMovement)-int64(feet)), "followed", rule)
	return up(r.Creature(id))
}

// offerClosing lets those with long weapons strike at one who closes in, on its
// number; the blow is their action of the round.
//
// basic.action.reach-closing
func offerClosing(r *rules.Resolution, mover string, closed []string, facts *structpb.Struct) {
	for _, id := range closed {
		e := r.Creature(id)
		if e == nil || !opposed(e, r.Creature(mover)) || !mayAnswer(r.State(), e) || unseen(facts) {
			continue
		}
		long := armed(e, func(w *eventv1.BasicWeapon) bool { return w.Kind == "melee" && w.LongReach })
		if len(long) == 0 {
			continue
		}
		const rule = cite.ActionReachClosing
		w, flat := opening{label: "closing/" + id, decision: decClosing, cause: r.Creature(mover).Name + " closes in", rule: rule,
			weapons: long, flat: true}.choose(r, e)
		if w != nil {
			answerEarly(r, id, "closing-attack", w.Name, rule)
			blow{attacker: id, target: mover, weapon: w, label: "closing-attack/" + id, subdual: flat, facts: hidden(facts)}.strike(r)
		}
	}
}

// mayAnswer tells whether a creature still has its action for an early blow.
//
// basic.turn.declare
func mayAnswer(s *eventv1.State, c *eventv1.Creature) bool {
	return s.Phase == phaseCount && able(c) && refuseAttacking(s, c) == nil && c.Counters[cAction] > 0 && waiting(s, c) &&
		slices.Contains(fighters, c.Marks[mDeclared])
}

// answerEarly spends the action of one who strikes on another's number, so that
// both act at the same time. Whoever held is done with it.
func answerEarly(r *rules.Resolution, id, how, item, rule string) {
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: id, Action: how, Item: item}, rule)
	spend(r, id, how, rule)
	r.Set("", cTogether, 1, "", cite.InitiativeTiesSimultaneous)
	if holdsOpen(r.Creature(id)) {
		r.Mark(id, mHold, "")
		r.Set(id, cDone, int64(r.State().Round), "the action is completed", cite.TurnRoundEnds)
	}
}
