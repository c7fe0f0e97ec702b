package strike

import (
	"slices"
	"sync"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/answers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	theitems "github.com/skaldrpg/skald/pkg/rules/celesia/items"
	"github.com/skaldrpg/skald/pkg/rules/play"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Action is one thing a creature can do: what the kernel knows of it, and what is
// of this system alone.
type Action struct {
	play.Action
	// Provoke tells whether it provokes, and from whom only; nil means it does not.
	Provoke func(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) (provokes bool, only string)
	// Before, when set, comes after the acts are paid and before the action
	// provokes; quiet keeps it from provoking.
	Before func(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) (quiet bool)
	// Spans tells whether it is begun now and goes on beyond the acts put in now;
	// nil means never.
	Spans func(c *eventv1.Creature, take *eventv1.TakeAction) bool
	// words are its parameters but for commit, as the vocabulary has them.
	words []play.Field
}

// ActsOf is what an action of a creature takes in acts, as content has it.
func (a *Action) ActsOf(r *rules.Resolution, take *eventv1.TakeAction) int32 {
	at := checks.Frame().At(r.State(), take)
	at.Content = r.Content()
	return a.Cost(at, body.CActs)
}

// May says why a creature may not take an action now: turn, acts, what is under
// way.
func May(at *play.At) error {
	a := ActionOf(at.Action.ID)
	if err := a.myTurn(at); err != nil || a.Anytime {
		return err
	}
	c, cost := at.Actor, a.Cost(at, body.CActs)
	if err := refuseBreak(c, a, cost); err != nil {
		return err
	}
	if left := int32(c.Counters[body.CActs]); cost > left {
		return a.noActs(cost, left)
	}
	if a.Spans != nil && body.Has(c, body.CondStaggered) && a.Spans(c, at.Take) {
		return body.Refuse("STAGGERED", cite.ConditionStaggeredByNonlethal, "%s is staggered: a simple action only", c.Name)
	}
	return nil
}

// noActs refuses an action that takes more acts than are left.
//
// celesia.turn.three-acts
func (a *Action) noActs(cost, left int32) error {
	key := answers.Lack{Action: a.ID, Cost: cost, Left: left}
	if err, ok := answers.Lacking.Load(key); ok {
		return err.(error)
	}
	err := body.Refuse("NO_ACTS", answers.CostRule(cost), "%s takes %d acts, %d are left", a.Title, cost, left)
	if left > 6 || cost > 6 {
		return err // what the game master gives may be any number
	}
	answers.Lacking.Store(key, err)
	return err
}

// myTurn says why a creature may not act now.
func (a *Action) myTurn(at *play.At) error {
	s, c := at.State, at.Actor
	switch {
	case s.Status != eventv1.State_STATUS_STARTED && !(a.Early && s.Status == eventv1.State_STATUS_OPEN):
		return body.Refuse("NOT_STARTED", "", "the encounter has not begun")
	case a.Anytime && !body.Dead(c):
		return nil
	}
	if p := at.Scratch.(*theitems.Spot); !p.Judged {
		p.Judged, p.Waits = true, waits(s, c)
	}
	if err := at.Scratch.(*theitems.Spot).Waits; err != nil {
		return err
	}
	if answers.Holds(c) != "" && c.Marks[body.MKept] == "" && !a.Is(checks.WhileHolding) {
		return body.Refuse("HOLDING", cite.ManeuverGrappleMaintain, "%s must first keep up the grapple or release it", c.Name)
	}
	return refuseUnruled(s, c, a)
}

// waits says why a creature can take nothing that needs its turn.
func waits(s *eventv1.State, c *eventv1.Creature) error {
	switch {
	case body.Dead(c):
		return body.Refuse("DEAD", cite.DeathDeadThreshold, "%s is dead", c.GetName())
	case !slices.Contains(s.Active, c.Id):
		return body.Refuse("NOT_YOUR_TURN", cite.ActionFreeOwnTurnOnly, "it is not the turn of %s", c.Name)
	case !Able(c):
		return body.Refuse("UNABLE", cite.DeathDyingUnconscious, "%s cannot act", c.Name)
	}
	return nil
}

// provoked lists those from whom an action would provoke, as far as the state
// shows.
//
// celesia.action.provoke
func (a *Action) provoked(at *play.At) []string {
	if provokes, _ := a.Provoke(at.State, at.Actor, at.Take); !provokes {
		return nil
	}
	p := at.Scratch.(*theitems.Spot)
	if p.Threats == nil {
		p.Threats = []string{}
		for _, id := range at.Creatures() {
			c := at.State.Creatures[id]
			if c.Side != at.Actor.Side && MayReact(at.State, c) && len(opportunities(at.State, c, at.Actor, checks.Provocation{Take: at.Take})) > 0 {
				p.Threats = append(p.Threats, id)
			}
		}
	}
	return p.Threats
}

// Pay takes the acts of an action: what must not be interrupted and is not
// carried on by it is broken.
//
// celesia.turn.three-acts, celesia.action.complex-frame, celesia.attack.steady-aim
func Pay(r *rules.Resolution, id string, acts int32, a *Action) {
	r.Set(id, body.CSpent, r.Count(id, body.CSpent)+int64(acts), a.Title)
	r.Set(id, body.CActs, r.Count(id, body.CActs)-int64(acts), a.Title)
	if !a.Is(checks.Task) {
		answers.BreakTasks(r, id, "another act came between")
	}
	if a.ID != "move" {
		r.Mark(id, body.MDragging, "") // the foe in hold is moved directly or not at all
	}
	if !a.Is(checks.Aims) {
		r.Set(id, body.CAim, 0, "the aim is lost", cite.AttackSteadyAim)
	}
}

// Listed makes the actions; the package of the system, which stands above all of them,
// sets it when it is initialised.
var Listed = func() []*Action { return nil }

// listed are the actions, and where each stands by its id.
var listed = sync.OnceValues(func() ([]*Action, map[string]*Action) {
	all, byID := Listed(), map[string]*Action{}
	for _, a := range all {
		byID[a.ID] = a
	}
	return all, byID
})

// All are the actions in their order; they never change once the frame is made.
//
// celesia.action.catalogue, celesia.action.later-catalogue
func All() []*Action {
	all, _ := listed()
	return all
}

// ActionOf is the action of an id; nil when there is none.
func ActionOf(id string) *Action {
	_, byID := listed()
	return byID[id]
}
