package celesia

import (
	"slices"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// action is one thing a creature can do. The same refuse function answers for
// the list of options and for the deed, so that the two cannot disagree.
type action struct {
	// id as in TakeAction.action.
	id string
	// title for people.
	title string
	// rule behind it.
	rule string
	// acts it costs; 0 for a free action (celesia.turn.free-actions).
	acts int32
	// cost, when set, gives the acts in place of acts.
	cost func(c *eventv1.Creature, take *eventv1.TakeAction) int32
	// provoke tells whether it provokes, and from whom only; nil means it does not.
	provoke func(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) (provokes bool, only string)
	// trigger is the word by which readied actions know it.
	trigger string
	// items lists what it can be done with; nil means it takes no item.
	items func(s *eventv1.State, c *eventv1.Creature) []string
	// targeted actions take one target.
	targeted bool
	// self may be the target too.
	self bool
	// most is how many targets it takes; nil means one.
	most func(c *eventv1.Creature, take *eventv1.TakeAction) int32
	// before, when set, comes after the acts are paid and before the action
	// provokes; quiet keeps it from provoking.
	before func(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) (quiet bool)
	// refuse says why it cannot be done, turn and cost apart; nil means never.
	refuse func(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error
	// check judges the parameters of the command.
	check func(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error
	// parameters that the command takes.
	parameters func(s *eventv1.State, c *eventv1.Creature) []*eventv1.Parameter
	// listing, when set, lists the options in place of the common way.
	listing func(a *action, s *eventv1.State, c *eventv1.Creature) []*eventv1.Option
	// do carries it out.
	do func(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error
	// paid, in place of do, is told the acts that were paid.
	paid func(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction, acts int32) error
	// anytime actions need no turn of one's own.
	anytime bool
	// early actions may be taken before the fight begins.
	early bool
	// holding actions may come first in the turn of one who holds a foe.
	holding bool
	// task actions carry on a task and so do not break it.
	task bool
	// aims keeps the run of aiming.
	aims bool
	// unruled: may be done before a frightened mount is in hand.
	unruled bool
	// sealed: with what and against whom is not told.
	sealed bool
	// whole actions cannot be begun with a part of their acts.
	whole bool
	// spans tells whether it is begun now and goes on beyond the acts put in now;
	// nil means never.
	spans func(c *eventv1.Creature, take *eventv1.TakeAction) bool
}

func (a *action) costOf(c *eventv1.Creature, take *eventv1.TakeAction) int32 {
	if a.cost != nil {
		return a.cost(c, take)
	}
	return a.acts
}

// mayTake says why a creature may not take an action; nil when it may.
func (a *action) mayTake(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if err := a.myTurn(s, c); err != nil {
		return err
	}
	if n := a.targets(c, take); len(take.Targets) > int(n) {
		return fault.Field("take.targets", "at most %d, not %d", n, len(take.Targets))
	}
	if !a.anytime {
		if err := refuseBreak(c, a, a.costOf(c, take)); err != nil {
			return err
		}
		if cost, left := a.costOf(c, take), int32(c.Counters[cActs]); cost > left {
			return refuse("NO_ACTS", costRule(cost), "%s takes %d acts, %d are left", a.title, cost, left)
		}
		if a.spans != nil && has(c, condStaggered) && a.spans(c, take) {
			return refuse("STAGGERED", cite.ConditionStaggeredByNonlethal, "%s is staggered: a simple action only", c.Name)
		}
	}
	return a.fits(s, c, take)
}

// spanning actions are begun with the acts of one turn and done in another.
func spanning(*eventv1.Creature, *eventv1.TakeAction) bool { return true }

// targets is how many targets an action takes with what is used for it.
func (a *action) targets(c *eventv1.Creature, take *eventv1.TakeAction) int32 {
	if a.most != nil {
		return a.most(c, take)
	}
	return 1
}

// fits says why an action cannot be done to its targets, each by itself.
func (a *action) fits(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	one := &eventv1.TakeAction{Creature: take.Creature, Action: take.Action, Item: take.Item, Path: take.Path,
		Parameters: take.Parameters, Facts: take.Facts, Circumstances: take.Circumstances}
	for i := 0; i < max(1, len(take.Targets)); i++ {
		one.Targets = take.Targets[min(i, len(take.Targets)):min(i+1, len(take.Targets))]
		if slices.Contains(take.Targets[:min(i, len(take.Targets))], target(one)) {
			return fault.Field("take.targets", "%q is named twice", target(one))
		}
		if a.targeted {
			if err := a.mayTarget(s, c, one); err != nil {
				return err
			}
		}
		if a.refuse == nil {
			continue
		}
		if err := a.refuse(s, c, one); err != nil {
			return err
		}
	}
	return nil
}

func (a *action) mayTarget(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	t := s.Creatures[target(take)]
	switch {
	case t == nil:
		return fault.Field("take.targets", "exactly one target")
	case t.Id == c.Id && !a.self:
		return refuse("NO_TARGET", a.rule, "%s cannot be aimed at oneself", a.title)
	case dead(t):
		return refuse("TARGET_DEAD", a.rule, "%s is dead", t.Name)
	}
	return nil
}

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
func (a *action) myTurn(s *eventv1.State, c *eventv1.Creature) error {
	switch {
	case s.Status != eventv1.State_STATUS_STARTED && !(a.early && s.Status == eventv1.State_STATUS_OPEN):
		return refuse("NOT_STARTED", "", "the encounter has not begun")
	case dead(c):
		return refuse("DEAD", cite.DeathDeadThreshold, "%s is dead", c.GetName())
	case a.anytime:
		return nil
	case !slices.Contains(s.Active, c.Id):
		return refuse("NOT_YOUR_TURN", cite.ActionFreeOwnTurnOnly, "it is not the turn of %s", c.Name)
	case !able(c):
		return refuse("UNABLE", cite.DeathDyingUnconscious, "%s cannot act", c.Name)
	case holds(c) != "" && c.Marks[mKept] == "" && !a.holding:
		return refuse("HOLDING", cite.ManeuverGrappleMaintain, "%s must first keep up the grapple or release it", c.Name)
	}
	return refuseUnruled(s, c, a)
}

// list lists the options of an action.
func (a *action) list(s *eventv1.State, c *eventv1.Creature) []*eventv1.Option {
	if a.listing != nil {
		return a.listing(a, s, c)
	}
	items := []string{""}
	if a.items != nil {
		items = a.items(s, c)
	}
	var out []*eventv1.Option
	for _, item := range items {
		out = append(out, a.option(s, c, item))
	}
	return out
}

// fitting leaves out the words of parameters that the action's own check would
// refuse for this item, so that whatever is listed can be taken.
func (a *action) fitting(s *eventv1.State, c *eventv1.Creature, item string, all []*eventv1.Parameter) []*eventv1.Parameter {
	if a.check == nil {
		return all
	}
	var out []*eventv1.Parameter
	for _, p := range all {
		if p.Required || len(p.Values) == 0 { // what it goes with may be required as well
			out = append(out, p)
			continue
		}
		p.Values = slices.DeleteFunc(p.Values, func(v *structpb.Value) bool {
			take := &eventv1.TakeAction{Creature: c.Id, Action: a.id, Item: item, Parameters: paramStruct(p.Name, v.GetStringValue())}
			f, refused := fault.As(a.check(s, c, take))
			return refused && f.Code == fault.Illegal
		})
		if len(p.Values) > 0 {
			out = append(out, p)
		}
	}
	return out
}

// option is one option: legal when there is a way to take it.
func (a *action) option(s *eventv1.State, c *eventv1.Creature, item string) *eventv1.Option {
	take := &eventv1.TakeAction{Creature: c.Id, Action: a.id, Item: item}
	o := &eventv1.Option{Creature: c.Id, Action: a.id, Title: a.title, Item: item, Rule: a.rule, Legal: true,
		Costs: map[string]int32{cActs: a.costOf(c, take)}}
	if a.parameters != nil {
		o.Parameters = a.fitting(s, c, item, a.parameters(s, c))
	}
	if a.inParts(c, take) {
		o.Parameters = append(o.Parameters, commitParameter(o.Costs[cActs]))
	}
	if !a.targeted {
		if err := a.mayTake(s, c, take); err != nil {
			rules.Forbid(o, err)
		}
		return o
	}
	o.MinimumTargets, o.MaximumTargets = 1, a.targets(c, take)
	var why error
	for _, id := range rules.SortedKeys(s.Creatures) {
		if id == c.Id && !a.self {
			continue
		}
		take.Targets = []string{id}
		if err := a.mayTake(s, c, take); err != nil {
			why = err
			continue
		}
		o.Targets = append(o.Targets, id)
	}
	if len(o.Targets) == 0 {
		if why == nil {
			why = a.aimless(s, c, take)
		}
		rules.Forbid(o, why)
	}
	return o
}

// aimless says why an action that has nobody to aim at cannot be taken: what
// forbids it whatever the target, if anything does.
func (a *action) aimless(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	take.Targets = []string{c.Id}
	err := a.mayTake(s, c, take)
	if f, ok := fault.As(err); ok && f.Reason != "NO_TARGET" {
		return err
	}
	return refuse("NO_TARGET", a.rule, "there is nobody to aim at")
}

// always provokes from everyone who threatens.
func always(*eventv1.State, *eventv1.Creature, *eventv1.TakeAction) (bool, string) { return true, "" }

// choice makes a parameter of a few words.
func choice(name, text string, required bool, values ...string) *eventv1.Parameter {
	p := &eventv1.Parameter{Name: name, Type: "string", Required: required, Text: text}
	for _, v := range values {
		p.Values = append(p.Values, structpb.NewStringValue(v))
	}
	return p
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
	r.Set(id, cSpent, r.Count(id, cSpent)+int64(acts), a.title)
	r.Set(id, cActs, r.Count(id, cActs)-int64(acts), a.title)
	if !a.task {
		breakTasks(r, id, "another act came between")
	}
	if a.id != "move" {
		r.Mark(id, mDragging, "") // the foe in hold is moved directly or not at all
	}
	if !a.aims {
		r.Set(id, cAim, 0, "the aim is lost", cite.AttackSteadyAim)
	}
}
