package play

import (
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// NothingToChoose is why an option inside which nothing is left cannot be taken; a
// command is told what is wrong with what it chooses.
const NothingToChoose = "there is nothing to choose"

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

// Shown is a field as an option of an action shows it, for choices that a system
// makes by itself.
func (f *Frame) Shown(action string, field Field) *eventv1.Parameter {
	return field.parameter(f.byID[action].shown.words[field.Name])
}

// ones are the costs of one of each counter that the vocabulary knows.
func ones(v *rules.Vocabulary) map[string]map[string]int32 {
	out := map[string]map[string]int32{}
	if v != nil {
		for _, name := range v.Names(rules.PlaceCounter, "") {
			out[name] = map[string]int32{name: 1}
		}
	}
	return out
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
	at := &At{State: q.State, Actor: c, Take: take, Listing: true, Content: q.Content, frame: f, blanks: &blanks{}}
	if f.Hidden != nil && f.Hidden(at) {
		return nil
	}
	if f.Prepare != nil {
		f.Prepare(at)
	}
	out := make([]*eventv1.Option, 0, 2*len(f.actions))
	for _, a := range f.actions {
		first := len(out)
		by, cite := f.replaced(q.Content, q.State, c, a)
		at.Action, take.Action, take.Item = by, by.ID, ""
		if f.Whole {
			if err := f.may(at); err != nil {
				out = f.under(a, by, cite, append(out, forbidden(f.bare(at), err)), first)
				continue
			}
		}
		for _, item := range by.ways(at) {
			take.Item = item
			out = append(out, f.Option(at))
		}
		if by.Further != nil {
			take.Item = ""
			out = append(out, by.Further(at)...)
		}
		out = f.under(a, by, cite, out, first)
	}
	return append(out, f.endTurn(at))
}

// under lists the options from first on, of the action that is carried out, under
// the id of the one that is taken.
func (f *Frame) under(taken, by *Action, cite effects.Cite, out []*eventv1.Option, first int) []*eventv1.Option {
	if taken == by {
		return out
	}
	for _, o := range out[first:] {
		o.Action, o.Title = taken.ID, taken.Title+": "+o.Title
		if o.Legal {
			o.Rule = cite.Rule
		}
	}
	return out
}

// slab is how many options are made at a time.
const slab = 32

// blanks are the empty options of a listing that are left.
type blanks struct{ left []eventv1.Option }

// NewOption is an empty option; of a listing many are made at once.
func (at *At) NewOption() *eventv1.Option {
	b := at.blanks
	if b == nil {
		return &eventv1.Option{}
	}
	if len(b.left) == 0 {
		b.left = make([]eventv1.Option, slab)
	}
	o := &b.left[0]
	b.left = b.left[1:]
	return o
}

// Price is a cost as options show it: made once for those that the frame shares. It
// must not be changed.
func (f *Frame) Price(costs []Cost) map[string]int32 {
	if len(costs) == 0 {
		return nil
	}
	if shown, ok := f.shared[&costs[0]]; ok {
		return shown
	}
	if len(costs) == 1 && costs[0].Amount == 1 {
		if one := f.ones[costs[0].Counter]; one != nil {
			return one
		}
	}
	return costMap(costs)
}

// Option is the option to do it that way. At.Take must say no more than actor,
// action and item, and what is chosen inside another action.
func (f *Frame) Option(at *At) *eventv1.Option {
	a, o := at.Action, f.bare(at)
	defer f.ease(at)()
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
	f.detail(at, o)
	return o
}

// bare is the option as far as nobody has been asked about it.
func (f *Frame) bare(at *At) *eventv1.Option {
	a := at.Action
	o := at.NewOption()
	o.Creature, o.Action, o.Title, o.Item, o.Rule, o.Legal = at.Actor.Id, a.ID, a.Title, at.Item(), a.Rule, true
	o.Group, o.Costs = string(a.Group), a.shown.costs
	if a.Names != nil {
		o.Title = a.Names(at)
	}
	if a.RuleOf != nil {
		o.Rule = a.RuleOf(at)
	}
	if a.CostOf != nil || at.Content.Asks(effects.KindCost) {
		o.Costs = f.Price(a.costs(at))
	}
	return o
}

// detail fills in what a form needs of an option that is legal.
func (f *Frame) detail(at *At, o *eventv1.Option) {
	a := at.Action
	o.Parameters, o.Facts = f.Takes(at)
	if a.Provokes != nil && !at.quiet() {
		o.Provokes = a.Provokes(at)
	}
	if a.Squares != nil {
		o.Squares, o.SquaresCut = a.Squares(at)
	}
	if a.Choices != nil {
		if o.Choices = a.Choices(at); len(o.Choices) == 0 {
			forbidden(o, fault.Refuse("NO_CHOICE", a.Rule, NothingToChoose))
		}
	}
}

// Takes lists the words that an action takes that way, as an option shows them; the
// facts are shared, and so are the parameters of an action without Fields.
func (f *Frame) Takes(at *At) (parameters, facts []*eventv1.Parameter) {
	a, s := at.Action, at.Action.shown
	if a.Fields == nil {
		return s.parameters, s.facts
	}
	fields := a.Fields(at)
	parameters = make([]*eventv1.Parameter, len(fields))
	for i, field := range fields {
		if parameters[i] = field.made; field.made == nil {
			parameters[i] = field.parameter(s.words[field.Name])
		}
	}
	return parameters, s.facts
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
	o.Targets = make([]string, 0, len(candidates))
	for _, id := range candidates {
		t := at.State.Creatures[id]
		if t.GetId() == at.Actor.GetId() && !a.Self {
			continue
		}
		if err := at.RefusedTarget(t); err == nil {
			if o.Targets == nil {
				o.Targets = make([]string, 0, len(candidates))
			}
			o.Targets = append(o.Targets, id)
		} else if why == nil || t.Side != at.Actor.Side {
			why = err // of those who refuse, a foe says most
		}
	}
	if o.MinimumTargets, o.MaximumTargets = least, most; !a.repeats(at) {
		o.MaximumTargets = min(most, int32(len(o.Targets)))
	}
	if int32(len(o.Targets)) >= least {
		return nil
	}
	if why == nil {
		why = fault.Refuse("NO_TARGET", a.Rule, "there is nobody to aim at")
	}
	return why
}

// forbidden makes an option illegal, and takes from it what only a legal one shows;
// how many targets it takes stays.
func forbidden(o *eventv1.Option, err error) *eventv1.Option {
	rules.Forbid(o, err)
	o.Targets, o.Choices = nil, nil
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
