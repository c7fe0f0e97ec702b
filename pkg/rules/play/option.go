package play

import (
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// shown is what every option of an action shows alike, made once (P4).
type shown struct {
	costs      map[string]int32
	words      map[string]*eventv1.Parameter
	parameters []*eventv1.Parameter
	facts      []*eventv1.Parameter
}

func (f *Frame) show(a *Action) *shown {
	s := &shown{costs: costMap(a.Costs), words: map[string]*eventv1.Parameter{}}
	if f.Words == nil {
		return s
	}
	s.parameters = f.Words.Parameters(rules.PlaceParameter, a.ID)
	s.facts = f.Words.Parameters(rules.PlaceFact, a.ID)
	for _, p := range s.parameters {
		s.words[p.Name] = p
	}
	return s
}

func costMap(costs []Cost) map[string]int32 {
	var m map[string]int32
	for _, c := range costs {
		if m == nil {
			m = make(map[string]int32, len(costs))
		}
		m[c.Counter] += c.Amount
	}
	return m
}

// Options lists what a creature may do, and why not the rest, from what a viewer
// may see. What is not legal is listed without targets and words.
func (f *Frame) Options(q rules.Query) []*eventv1.Option {
	c := q.State.GetCreatures()[q.Creature]
	if c == nil {
		return nil
	}
	take := &eventv1.TakeAction{Creature: c.Id}
	at := &At{State: q.State, Actor: c, Take: take, Listing: true, frame: f}
	if f.Hidden != nil && f.Hidden(at) {
		return nil
	}
	if f.Prepare != nil {
		f.Prepare(at)
	}
	out := make([]*eventv1.Option, 0, 2*len(f.actions))
	for _, a := range f.actions {
		at.Action, take.Action, take.Item = a, a.ID, ""
		for _, item := range a.ways(at) {
			take.Item = item
			out = append(out, f.Option(at))
		}
	}
	return append(out, f.endTurn(at))
}

// Option is the option to do it that way. At.Take must say no more than actor,
// action and item, and what is chosen inside another action.
func (f *Frame) Option(at *At) *eventv1.Option {
	a, s := at.Action, f.shown[at.Action.ID]
	o := &eventv1.Option{Creature: at.Actor.Id, Action: a.ID, Title: a.Title, Item: at.Item(), Rule: a.Rule, Legal: true,
		Group: string(a.Group), Costs: s.costs}
	if a.Names != nil {
		o.Title = a.Names(at)
	}
	if a.CostOf != nil {
		o.Costs = costMap(a.CostOf(at))
	}
	if err := f.may(at); err != nil {
		return forbidden(o, err)
	}
	if a.Refuse != nil {
		if err := a.Refuse(at); err != nil {
			return forbidden(o, err)
		}
	}
	if err := f.aim(at, o); err != nil {
		return forbidden(o, err)
	}
	f.detail(at, o, s)
	return o
}

// detail fills in what a form needs of an option that is legal.
func (f *Frame) detail(at *At, o *eventv1.Option, s *shown) {
	a := at.Action
	o.Parameters, o.Facts = s.parameters, s.facts
	if a.Fields != nil {
		o.Parameters = nil
		for _, field := range a.Fields(at) {
			o.Parameters = append(o.Parameters, field.parameter(s.words[field.Name]))
		}
	}
	if a.Provokes != nil {
		o.Provokes = a.Provokes(at)
	}
	if a.Squares != nil {
		o.Squares, o.SquaresCut = a.Squares(at)
	}
	if a.Choices != nil {
		if o.Choices = a.Choices(at); len(o.Choices) == 0 {
			forbidden(o, fault.Refuse("NO_CHOICE", a.Rule, "there is nothing to choose"))
		}
	}
}

// aim fills in the targets that are left, or says why there are too few.
func (f *Frame) aim(at *At, o *eventv1.Option) error {
	a := at.Action
	least, most := a.Targets(at)
	if most == 0 {
		return nil
	}
	candidates := at.Creatures()
	if a.Candidates != nil {
		candidates = a.Candidates(at)
	}
	var why error
	for _, id := range candidates {
		t := at.State.Creatures[id]
		if t.GetId() == at.Actor.GetId() && !a.Self {
			continue
		}
		if err := at.RefusedTarget(t); err == nil {
			o.Targets = append(o.Targets, id)
		} else if why == nil || t.Side != at.Actor.Side {
			why = err // of those who refuse, a foe says most
		}
	}
	o.MinimumTargets, o.MaximumTargets = least, min(most, int32(len(o.Targets)))
	if int32(len(o.Targets)) >= least {
		return nil
	}
	if why == nil {
		why = fault.Refuse("NO_TARGET", a.Rule, "there is nobody to aim at")
	}
	return why
}

// forbidden makes an option illegal, and takes from it what only a legal one shows.
func forbidden(o *eventv1.Option, err error) *eventv1.Option {
	rules.Forbid(o, err)
	o.Targets, o.MinimumTargets, o.MaximumTargets = nil, 0, 0
	o.Choices = nil
	return o
}

// endTurn is the option to end the turn.
func (f *Frame) endTurn(at *At) *eventv1.Option {
	o := &eventv1.Option{Creature: at.Actor.Id, Action: EndTurnAction, Title: f.EndTurnTitle, Rule: f.EndTurnRule, Legal: true, Group: string(GroupTurn)}
	if f.EndTurn != nil {
		rules.Forbid(o, f.EndTurn(at))
	}
	return o
}
