package celesia

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
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

// catalogue is everything a creature can do, in the order in which options are
// listed; byID finds an action. Both are made once: listing options asks often.
//
// celesia.action.catalogue, celesia.action.later-catalogue
var (
	catalogue []*action
	byID      = map[string]*action{}
)

func init() {
	catalogue = slices.Concat(attackActions(), coupActions(), lungeActions(), runActions(), speechActions(), chargeActions(), aidActions(), maneuverActions(), grappleActions(), moveActions(), handActions(),
		spellActions(), careActions(), turnActions(), taskActions(), surveyActions(), checkActions(), errandActions(), firearmActions(), mountActions(), ridingActions(), touchActions(), underwayActions())
	for _, a := range catalogue {
		byID[a.id] = a
	}
}

func actions() []*action { return catalogue }

func actionOf(id string) *action { return byID[id] }

// Act carries out an action.
func (System) Act(r *rules.Resolution, take *eventv1.TakeAction) error {
	a := actionOf(take.Action)
	if a == nil {
		return fault.Field("take.action", "there is no action %q; GetOptions lists them", take.Action)
	}
	c := r.Creature(take.Creature)
	if err := a.mayTake(r.State(), c, take); err != nil {
		return err
	}
	if a.check != nil {
		if err := a.check(r.State(), c, take); err != nil {
			return err
		}
	}
	cost := a.costOf(c, take)
	part, err := a.partOf(c, take)
	if err != nil {
		return err
	}
	if slices.Contains(r.State().Active, c.Id) {
		r.Mark(c.Id, mBegun, "yes")
	}
	if part > 0 {
		a.begin(r, take, part, cost)
		return settle(r)
	}
	if err := a.perform(r, take, cost, true); err != nil {
		return err
	}
	return settle(r)
}

// perform carries an action through: it is told, paid for, answered by those
// whom it provokes, and done unless the answers made it impossible. Acts of an
// action that never begins are spent.
//
// celesia.action.provoke, celesia.injury.disabled-strain
func (a *action) perform(r *rules.Resolution, take *eventv1.TakeAction, cost int32, ownTurn bool) error {
	id := take.Creature
	if !a.open(r, take, cost, ownTurn) {
		return nil
	}
	strained := disabled(r.Creature(id))
	if err := a.carry(r, take, cost, ownTurn); err != nil {
		return err
	}
	if n := effort(r.Creature(id), a, take, cost, ownTurn); strained && n > 0 {
		strain(r, id, n)
	}
	return nil
}

// open is the beginning of an action: it is told, paid for and answered. It is
// false when the answers made the action impossible.
//
// celesia.action.provoke
func (a *action) open(r *rules.Resolution, take *eventv1.TakeAction, cost int32, ownTurn bool) bool {
	id := take.Creature
	told := &eventv1.ActionTaken{Creature: id, Action: a.id}
	if !a.sealed {
		told.Targets, told.Item = take.Targets, take.Item
	}
	r.Emit(event.Everyone(), told, a.rule)
	if ownTurn && cost > 0 {
		pay(r, id, cost, a)
	}
	quiet := a.before != nil && a.before(r, r.Creature(id), take)
	if a.provoke != nil || a.trigger != "" {
		p := provocation{by: id, kind: a.trigger, take: take}
		if a.provoke != nil && !quiet {
			p.provokes, p.only = a.provoke(r.State(), r.Creature(id), take)
		}
		window(r, p)
		if why := a.prevented(r.State(), r.Creature(id), take, ownTurn); why != "" {
			// Why may tell what only its controllers know, such as what is spent.
			r.Note(event.Everyone(), id, a.title+" is never begun", cite.ActionProvoke)
			r.Note(event.Controllers(id), id, why, cite.ActionProvoke)
			abandon(r, id)
			return false
		}
	}
	return true
}

// carry does what an action does; cost is all of its acts.
func (a *action) carry(r *rules.Resolution, take *eventv1.TakeAction, cost int32, ownTurn bool) error {
	id, do := take.Creature, a.do
	if a.paid != nil {
		do = func(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
			return a.paid(r, c, take, cost)
		}
	}
	if err := do(r, r.Creature(id), take); err != nil {
		return err
	}
	if ownTurn && supported(r.Creature(id), a.id) {
		remember(r, id, a.id)
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
func (a *action) prevented(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction, ownTurn bool) string {
	switch {
	case !able(c):
		return c.GetName() + " can no longer act"
	case ownTurn && int32(c.Counters[cSpent]) > allowance(s, c):
		return "not enough acts are left in the turn"
	}
	err := a.fits(s, c, take)
	if err == nil && a.check != nil {
		err = a.check(s, c, take)
	}
	if err != nil {
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

// Options lists what a creature may do, and why not the rest.
func (System) Options(q rules.Query) []*eventv1.Option {
	c := q.State.GetCreatures()[q.Creature]
	if c == nil {
		return nil
	}
	var out []*eventv1.Option
	for _, a := range actions() {
		out = append(out, a.list(q.State, c)...)
	}
	describe(out)
	return append(out, endTurnOption(q.State, c))
}

func endTurnOption(s *eventv1.State, c *eventv1.Creature) *eventv1.Option {
	o := &eventv1.Option{Creature: c.Id, Action: "end-turn", Title: "End the turn", Legal: true, Rule: cite.TurnThreeActs}
	if s.Status != eventv1.State_STATUS_STARTED || !slices.Contains(s.Active, c.Id) {
		rules.Forbid(o, refuse("NOT_YOUR_TURN", cite.TurnThreeActs, "it is not the turn of %s", c.Name))
	}
	return o
}
