package celesia

import (
	"slices"
	"sync"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// action is one thing a creature can do: what the kernel knows of it, and what is
// of this system alone.
type action struct {
	play.Action
	// provoke tells whether it provokes, and from whom only; nil means it does not.
	provoke func(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) (provokes bool, only string)
	// before, when set, comes after the acts are paid and before the action
	// provokes; quiet keeps it from provoking.
	before func(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) (quiet bool)
	// spans tells whether it is begun now and goes on beyond the acts put in now;
	// nil means never.
	spans func(c *eventv1.Creature, take *eventv1.TakeAction) bool
	// words are its parameters but for commit, as the vocabulary has them.
	words []play.Field
}

// Traits of actions.
const (
	// whileHolding actions may come first in the turn of one who holds a foe.
	whileHolding play.Traits = 1 << iota
	// task actions carry on a task and so do not break it.
	task
	// aims keeps the run of aiming.
	aims
	// unruled: may be done before a frightened mount is in hand.
	unruled
	// sealed: with what and against whom is not told.
	sealed
	// whole actions cannot be begun with a part of their acts.
	whole
)

// judging says why something cannot be done; nil when it can. Where the command
// names no target it judges the rest.
type judging func(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error

// bars judges an action whatever its target.
func bars(j judging) func(*play.At) error {
	return func(at *play.At) error {
		take := at.Take
		if len(take.Targets) > 0 {
			take = aimedAt(take, nil)
		}
		return j(at.State, at.Actor, take)
	}
}

// aimed judges each target by itself; nil judges no more than that it lives.
func aimed(j judging) func(*play.At, *eventv1.Creature) error {
	return func(at *play.At, t *eventv1.Creature) error {
		switch {
		case t == nil:
			return fault.Field("take.targets", "there is no such creature")
		case dead(t):
			return refuse("TARGET_DEAD", at.Action.Rule, "%s is dead", t.Name)
		case j == nil:
			return nil
		}
		return j(at.State, at.Actor, at.Scratch.(*spot).aimedAt(at, t.Id))
	}
}

// judged judges what was said with a command.
func judged(j judging) func(*play.At) error {
	return func(at *play.At) error { return j(at.State, at.Actor, at.Take) }
}

// done carries out a deed.
func done(do func(*rules.Resolution, *eventv1.Creature, *eventv1.TakeAction) error) func(*rules.Resolution, *play.At) error {
	return func(r *rules.Resolution, at *play.At) error { return do(r, r.Creature(at.Take.Creature), at.Take) }
}

// paid carries out a deed that is told the acts that it takes.
func paid(do func(*rules.Resolution, *eventv1.Creature, *eventv1.TakeAction, int32) error) func(*rules.Resolution, *play.At) error {
	return func(r *rules.Resolution, at *play.At) error {
		return do(r, r.Creature(at.Take.Creature), at.Take, at.Scratch.(*spot).cost)
	}
}

// ways are what an action can be done with. A command may name anything: the action
// itself refuses what it cannot be done with, by its rule.
func ways(items func(*eventv1.State, *eventv1.Creature) []string) func(*play.At) []string {
	return func(at *play.At) []string {
		if !at.Listing {
			return []string{at.Item()}
		}
		return items(at.State, at.Actor)
	}
}

// bare lists maneuvers once, with bare limbs; a command may name a weapon.
func bare(*eventv1.State, *eventv1.Creature) []string { return []string{""} }

// those are the creatures that an action can come into question for.
func those(fit func(c, t *eventv1.Creature) bool) func(*play.At) []string {
	return func(at *play.At) []string {
		var out []string
		for _, id := range at.Creatures() {
			if fit(at.Actor, at.State.Creatures[id]) {
				out = append(out, id)
			}
		}
		return out
	}
}

// upTo is an action of one target up to so many.
func upTo(most func(*eventv1.Creature, *eventv1.TakeAction) int32) func(*play.At) (int32, int32) {
	return func(at *play.At) (int32, int32) { return 1, most(at.Actor, at.Take) }
}

// fewActs are the costs of so many acts, made once; those of none are nil.
var fewActs = func() (out [7][]play.Cost) {
	for n := int32(1); n < int32(len(out)); n++ {
		out[n] = []play.Cost{{Counter: cActs, Amount: n}}
	}
	return out
}()

// acts is a cost of so many acts; none is a free action
// (celesia.turn.free-actions).
func acts(n int32) []play.Cost {
	if n >= 0 && int(n) < len(fewActs) {
		return fewActs[n]
	}
	return []play.Cost{{Counter: cActs, Amount: n}}
}

// priced is a cost in acts that hangs on what is done with what.
func priced(cost func(*eventv1.Creature, *eventv1.TakeAction) int32) func(*play.At) []play.Cost {
	return func(at *play.At) []play.Cost { return acts(cost(at.Actor, at.Take)) }
}

// costOf is what an action takes in acts.
func (a *action) costOf(c *eventv1.Creature, take *eventv1.TakeAction) int32 {
	return a.Cost(&play.At{Actor: c, Action: &a.Action, Take: take}, cActs)
}

// aimedAt is a command with other targets.
func aimedAt(take *eventv1.TakeAction, targets []string) *eventv1.TakeAction {
	return &eventv1.TakeAction{Creature: take.Creature, Action: take.Action, Item: take.Item, Targets: targets, Path: take.Path,
		Parameters: take.Parameters, Facts: take.Facts, Circumstances: take.Circumstances}
}

// spot is what is worked out once for a listing, or a command.
type spot struct {
	// cost is all the acts of an action that is being carried out.
	cost int32
	// one is the command of a listing with the target that is looked at.
	one *eventv1.TakeAction
	// trades are the words of attacks in melee and at range.
	trades [2][]play.Field
	// waits says why the creature has no turn; judged tells that it is known.
	waits  error
	judged bool
	// living are those who are not dead, without and with the creature itself.
	living [2][]string
	// threats are those who could make an attack of opportunity; nil when nobody
	// has asked yet.
	threats []string
}

// aimedAt is the command with one target. A listing has one for all targets.
func (p *spot) aimedAt(at *play.At, id string) *eventv1.TakeAction {
	if !at.Listing {
		return aimedAt(at.Take, []string{id})
	}
	if p.one == nil {
		p.one = &eventv1.TakeAction{Creature: at.Take.Creature, Targets: make([]string, 1)}
	}
	p.one.Action, p.one.Item, p.one.Targets[0] = at.Take.Action, at.Take.Item, id
	return p.one
}

// fits says why an action cannot be done as a command says, turn and cost apart.
func fits(s *eventv1.State, take *eventv1.TakeAction) error { return frame().Fits(frame().At(s, take)) }

// may says why a creature may not take an action now: turn, acts, what is under
// way.
func may(at *play.At) error {
	a := byID[at.Action.ID]
	if err := a.myTurn(at); err != nil || a.Anytime {
		return err
	}
	c, cost := at.Actor, a.Cost(at, cActs)
	if err := refuseBreak(c, a, cost); err != nil {
		return err
	}
	if left := int32(c.Counters[cActs]); cost > left {
		return a.noActs(cost, left)
	}
	if a.spans != nil && has(c, condStaggered) && a.spans(c, at.Take) {
		return refuse("STAGGERED", cite.ConditionStaggeredByNonlethal, "%s is staggered: a simple action only", c.Name)
	}
	return nil
}

// lacking are the refusals for want of acts, by action, cost and acts left: most of
// what a listing refuses, so that they are worded once for good.
var lacking sync.Map

type lack struct {
	action     string
	cost, left int32
}

// noActs refuses an action that takes more acts than are left.
//
// celesia.turn.three-acts
func (a *action) noActs(cost, left int32) error {
	key := lack{a.ID, cost, left}
	if err, ok := lacking.Load(key); ok {
		return err.(error)
	}
	err := refuse("NO_ACTS", costRule(cost), "%s takes %d acts, %d are left", a.Title, cost, left)
	if left > 6 || cost > 6 {
		return err // what the game master gives may be any number
	}
	_ = err.Error() // it is worded before others see it
	lacking.Store(key, err)
	return err
}

// spanning actions are begun with the acts of one turn and done in another.
func spanning(*eventv1.Creature, *eventv1.TakeAction) bool { return true }

// costRule is the rule that speaks of an action of so many acts.
func costRule(cost int32) string {
	switch {
	case cost >= 3:
		return cite.ActionFullFrame
	case cost == 2:
		return cite.ActionStandardConsecutive
	}
	return cite.TurnThreeActs
}

// myTurn says why a creature may not act now.
func (a *action) myTurn(at *play.At) error {
	s, c := at.State, at.Actor
	switch {
	case s.Status != eventv1.State_STATUS_STARTED && !(a.Early && s.Status == eventv1.State_STATUS_OPEN):
		return refuse("NOT_STARTED", "", "the encounter has not begun")
	case a.Anytime && !dead(c):
		return nil
	}
	if p := at.Scratch.(*spot); !p.judged {
		p.judged, p.waits = true, waits(s, c)
	}
	if err := at.Scratch.(*spot).waits; err != nil {
		return err
	}
	if holds(c) != "" && c.Marks[mKept] == "" && !a.Is(whileHolding) {
		return refuse("HOLDING", cite.ManeuverGrappleMaintain, "%s must first keep up the grapple or release it", c.Name)
	}
	return refuseUnruled(s, c, a)
}

// waits says why a creature can take nothing that needs its turn.
func waits(s *eventv1.State, c *eventv1.Creature) error {
	switch {
	case dead(c):
		return refuse("DEAD", cite.DeathDeadThreshold, "%s is dead", c.GetName())
	case !slices.Contains(s.Active, c.Id):
		return refuse("NOT_YOUR_TURN", cite.ActionFreeOwnTurnOnly, "it is not the turn of %s", c.Name)
	case !able(c):
		return refuse("UNABLE", cite.DeathDyingUnconscious, "%s cannot act", c.Name)
	}
	return nil
}

// always provokes from everyone who threatens.
func always(*eventv1.State, *eventv1.Creature, *eventv1.TakeAction) (bool, string) { return true, "" }

// provoked lists those from whom an action would provoke, as far as the state
// shows.
//
// celesia.action.provoke
func (a *action) provoked(at *play.At) []string {
	if provokes, _ := a.provoke(at.State, at.Actor, at.Take); !provokes {
		return nil
	}
	p := at.Scratch.(*spot)
	if p.threats == nil {
		p.threats = []string{}
		for _, id := range at.Creatures() {
			c := at.State.Creatures[id]
			if c.Side != at.Actor.Side && mayReact(at.State, c) && len(opportunities(at.State, c, at.Actor, provocation{take: at.Take})) > 0 {
				p.threats = append(p.threats, id)
			}
		}
	}
	return p.threats
}

// oneOf reads a parameter of a few words; empty when it is not given.
func oneOf(take *eventv1.TakeAction, name string, values ...string) (string, error) {
	v := spoken.Word(take.Parameters, name)
	if v != "" && !slices.Contains(values, v) {
		return "", fault.Field("take.parameters."+name, "%q is not one of %v%s", v, values, rules.DidYouMean(v, values))
	}
	return v, nil
}

// pay takes the acts of an action: what must not be interrupted and is not
// carried on by it is broken.
//
// celesia.turn.three-acts, celesia.action.complex-frame, celesia.attack.steady-aim
func pay(r *rules.Resolution, id string, acts int32, a *action) {
	r.Set(id, cSpent, r.Count(id, cSpent)+int64(acts), a.Title)
	r.Set(id, cActs, r.Count(id, cActs)-int64(acts), a.Title)
	if !a.Is(task) {
		breakTasks(r, id, "another act came between")
	}
	if a.ID != "move" {
		r.Mark(id, mDragging, "") // the foe in hold is moved directly or not at all
	}
	if !a.Is(aims) {
		r.Set(id, cAim, 0, "the aim is lost", cite.AttackSteadyAim)
	}
}

// byID finds an action. It is filled when the package of the system is initialised,
// and never changes after that.
//
// celesia.action.catalogue, celesia.action.later-catalogue
var byID = map[string]*action{}

func actionOf(id string) *action { return byID[id] }

// frame is everything a creature can do; a frame without actions when the rule book
// does not hold.
func frame() *play.Frame {
	if f := play.Registered(ID); f != nil {
		return f
	}
	return noFrame
}

var noFrame = &play.Frame{System: ID}
