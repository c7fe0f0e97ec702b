package saddle

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/answers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// PerformAll carries an action through: it is told, paid for, answered by those
// whom it provokes, and done unless the answers made it impossible. Acts of an
// action that never begins are spent.
//
// celesia.action.provoke, celesia.injury.disabled-strain
func PerformAll(a *strike.Action, r *rules.Resolution, take *eventv1.TakeAction, cost int32, ownTurn bool) error {
	id := take.Creature
	if !openAction(a, r, take, cost, ownTurn) {
		return nil
	}
	strained := body.Disabled(r.Creature(id))
	if err := strike.CarryThrough(a, r, take, cost, ownTurn); err != nil {
		return err
	}
	if n := strike.Effort(r.Creature(id), a, take, cost, ownTurn); strained && n > 0 {
		strain(r, id, n)
	}
	return nil
}

// openAction is the beginning of an action: it is told, paid for and answered. It is
// false when the answers made the action impossible.
//
// celesia.action.provoke
func openAction(a *strike.Action, r *rules.Resolution, take *eventv1.TakeAction, cost int32, ownTurn bool) bool {
	id := take.Creature
	told := &eventv1.ActionTaken{Creature: id, Action: a.ID}
	if !a.Is(checks.Sealed) {
		told.Targets, told.Item = take.Targets, take.Item
	}
	r.Emit(event.Everyone(), told, a.Rule)
	if cost > 0 {
		strike.Pay(r, id, cost, a)
	}
	quiet := a.Before != nil && a.Before(r, r.Creature(id), take)
	if a.Trigger != "" {
		p := checks.Provocation{By: id, Kind: a.Trigger, Take: take}
		if a.Provoke != nil && !quiet {
			p.Provokes, p.Only = a.Provoke(r.State(), r.Creature(id), take)
		}
		window(r, p)
		if why := strike.Prevented(r.State(), r.Creature(id), take, ownTurn); why != "" {
			// Why may tell what only its controllers know, such as what is spent.
			r.Note(event.Everyone(), id, a.Title+" is never begun", cite.ActionProvoke)
			r.Note(event.Controllers(id), id, why, cite.ActionProvoke)
			answers.Abandon(r, id)
			return false
		}
	}
	return true
}

// strain takes the points that acting costs a disabled creature.
//
// celesia.injury.disabled-strain
func strain(r *rules.Resolution, id string, points int32) {
	if c := r.Creature(id); body.Dead(c) || body.Down(c) || points < 1 {
		return
	}
	Deed(r, "strain/"+id, &eventv1.Harm{Deed: body.DeedStrain, Target: id, Amount: points, Cause: "acting while disabled"})
}
