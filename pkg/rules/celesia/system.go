package celesia

import (
	"errors"
	"slices"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// System is the rule system. It holds nothing: all state is in the encounter.
type System struct{}

var _ rules.System = System{}

// Info names the system.
func (System) Info() rules.Info {
	return rules.Info{ID: ID, Title: "Legends of Celesia", Version: Version}
}

// Medicine is the system's part in harm and healing.
func (System) Medicine() rules.Medicine { return Medicine{} }

// errFrame says what is wrong with the frame of actions, which the kernel has under
// the system's id.
var errFrame error

func init() {
	all := slices.Concat(attackActions(), coupActions(), lungeActions(), runActions(), speechActions(), chargeActions(), aidActions(), maneuverActions(), grappleActions(), moveActions(), handActions(),
		spellActions(), careActions(), turnActions(), taskActions(), surveyActions(), checkActions(), errandActions(), firearmActions(), mountActions(), ridingActions(), touchActions(), underwayActions())
	listed := make([]*play.Action, len(all))
	for i, a := range all {
		listed[i], byID[a.ID] = &a.Action, a
	}
	words, errWords := readWords(play.IDs(listed))
	for _, a := range all {
		a.complete(words)
	}
	f, err := play.New(play.Frame{System: ID, Words: words, May: may, Perform: perform, EndTurn: refuseEndTurn, EndTurnTitle: "End the turn", EndTurnRule: cite.TurnThreeActs,
		Shared: fewActs[:], Prepare: func(at *play.At) { at.Scratch = &spot{} }}, listed)
	errFrame = errors.Join(errWords, err)
	if errFrame == nil {
		errFrame = play.Register(f)
	}
}

// Act carries out an action.
func (System) Act(r *rules.Resolution, take *eventv1.TakeAction) error { return frame().Act(r, take) }

// Options lists what a creature may do, and why not the rest.
func (System) Options(q rules.Query) []*eventv1.Option { return frame().Options(q) }

// GMOnly tells which actions are calls of the game master.
func (System) GMOnly(action string) bool { return frame().GMOnly(action) }

// BeforeStart tells which actions need no fight under way: checks and saving
// throws that the game master calls for, such as those that settle who is aware.
//
// celesia.surprise.awareness
func (System) BeforeStart(action string) bool { return frame().BeforeStart(action) }

// perform takes an action that nothing refuses, whole or with a part of its acts.
func perform(r *rules.Resolution, at *play.At) error {
	a, take := byID[at.Action.ID], at.Take
	cost, id := a.Cost(at, cActs), at.Take.Creature
	part, _ := spoken.Number(take.GetParameters(), paramCommit) // judged with the words
	if slices.Contains(r.State().Active, id) {
		r.Flag(id, mBegun, true)
	}
	if part > 0 {
		beginPart(a, r, take, part, cost)
		return settle(r)
	}
	if err := performAll(a, r, take, cost, true); err != nil {
		return err
	}
	return settle(r)
}

// performAll carries an action through: it is told, paid for, answered by those
// whom it provokes, and done unless the answers made it impossible. Acts of an
// action that never begins are spent.
//
// celesia.action.provoke, celesia.injury.disabled-strain
func performAll(a *action, r *rules.Resolution, take *eventv1.TakeAction, cost int32, ownTurn bool) error {
	id := take.Creature
	if !openAction(a, r, take, cost, ownTurn) {
		return nil
	}
	strained := disabled(r.Creature(id))
	if err := carryThrough(a, r, take, cost, ownTurn); err != nil {
		return err
	}
	if n := effort(r.Creature(id), a, take, cost, ownTurn); strained && n > 0 {
		strain(r, id, n)
	}
	return nil
}

// openAction is the beginning of an action: it is told, paid for and answered. It is
// false when the answers made the action impossible.
//
// celesia.action.provoke
func openAction(a *action, r *rules.Resolution, take *eventv1.TakeAction, cost int32, ownTurn bool) bool {
	id := take.Creature
	told := &eventv1.ActionTaken{Creature: id, Action: a.ID}
	if !a.Is(sealed) {
		told.Targets, told.Item = take.Targets, take.Item
	}
	r.Emit(event.Everyone(), told, a.Rule)
	if ownTurn && cost > 0 {
		pay(r, id, cost, a)
	}
	quiet := a.before != nil && a.before(r, r.Creature(id), take)
	if a.provoke != nil || a.Trigger != "" {
		p := provocation{by: id, kind: a.Trigger, take: take}
		if a.provoke != nil && !quiet {
			p.provokes, p.only = a.provoke(r.State(), r.Creature(id), take)
		}
		window(r, p)
		if why := prevented(r.State(), r.Creature(id), take, ownTurn); why != "" {
			// Why may tell what only its controllers know, such as what is spent.
			r.Note(event.Everyone(), id, a.Title+" is never begun", cite.ActionProvoke)
			r.Note(event.Controllers(id), id, why, cite.ActionProvoke)
			abandon(r, id)
			return false
		}
	}
	return true
}

// carryThrough does what an action does; cost is all of its acts.
func carryThrough(a *action, r *rules.Resolution, take *eventv1.TakeAction, cost int32, ownTurn bool) error {
	id := take.Creature
	at := frame().At(r.State(), take)
	at.Scratch.(*spot).cost = cost
	if err := a.Do(r, at); err != nil {
		return err
	}
	if ownTurn && supported(r.Creature(id), a.ID) {
		remember(r, id, a.ID)
	}
	return nil
}

// abandon clears what was settled about an action that is never begun.
func abandon(r *rules.Resolution, id string) {
	r.Mark(id, mLost, "")
	lift(r, id, condCountered, "never cast", cite.ReactionCounterspell)
}

// prevented says why an action cannot go on after the answers to it; empty
// when it can.
func prevented(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction, ownTurn bool) string {
	switch {
	case !able(c):
		return c.GetName() + " can no longer act"
	case ownTurn && int32(c.Counters[cSpent]) > allowance(s, c):
		return "not enough acts are left in the turn"
	}
	if err := fits(s, take); err != nil {
		return err.Error()
	}
	return ""
}

// strain takes the points that acting costs a disabled creature.
//
// celesia.injury.disabled-strain
func strain(r *rules.Resolution, id string, points int32) {
	if c := r.Creature(id); dead(c) || down(c) || points < 1 {
		return
	}
	deed(r, "strain/"+id, &eventv1.Harm{Deed: deedStrain, Target: id, Amount: points, Cause: "acting while disabled"})
}

// refuseEndTurn says why a creature cannot end its turn.
func refuseEndTurn(at *play.At) error {
	if at.State.Status != eventv1.State_STATUS_STARTED || !slices.Contains(at.State.Active, at.Actor.Id) {
		return refuse("NOT_YOUR_TURN", cite.TurnThreeActs, "it is not the turn of %s", at.Actor.Name)
	}
	return nil
}
