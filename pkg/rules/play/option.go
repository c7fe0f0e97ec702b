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
	at := f.listing(q, c)
	if f.Hidden != nil && f.Hidden(at) {
		return nil
	}
	if f.Prepare != nil && at.Scratch == nil {
		f.Prepare(at)
		at.spare = nil
	}
	if at.query.First {
		return f.first(at)
	}
	var out []*eventv1.Option
	if !q.LegalOnly {
		out = make([]*eventv1.Option, 0, 2*len(f.actions))
	}
	for _, a := range f.actions {
		if q.Wants(a.ID, string(a.Group)) {
			out = f.of(at, a, out)
		}
	}
	if q.Wants(rules.EndTurnAction, string(GroupTurn)) {
		out = at.listed(out, f.endTurn(at))
	}
	return out
}

// listed is what a listing is made with, kept in its room.
type listed struct {
	at    At
	take  eventv1.TakeAction
	query rules.Query
	view  view // that at was made for

	fields [someFields]Field // room for those of one action
	lent   bool              // it is being used

	spare   any // scratch of before, of a frame
	spareOf *Frame
}

// view is what the scratch of a listing is good for.
type view struct {
	frame   *Frame
	state   *eventv1.State
	actor   *eventv1.Creature
	content *effects.Book
	unread  bool
}

// Clear forgets what was found out about a state.
func (l *listed) Clear() {
	if l.at.Scratch != nil {
		l.spare, l.spareOf = l.at.Scratch, l.view.frame
	}
	l.view, l.at = view{}, At{}
}

// listing is the place of a listing.
func (f *Frame) listing(q rules.Query, c *eventv1.Creature) *At {
	if q.Room == nil {
		q.Room = &rules.Room{}
	}
	l, ok := q.Room.Kept.(*listed)
	if !ok {
		l = &listed{}
		q.Room.Kept = l
	}
	l.take.Reset()
	l.take.Creature, l.query = c.Id, q
	at := At{State: q.State, Actor: c, Take: &l.take, Listing: true, Content: q.Content, frame: f, room: q.Room, query: &l.query, kept: l}
	if now := (view{f, q.State, c, q.Content, q.LegalOnly}); now == l.view {
		at.Scratch, at.ids = l.at.Scratch, l.at.ids
	} else {
		if l.spareOf == f {
			at.spare = l.spare
		}
		l.view = now
	}
	l.at = at
	return &l.at
}

// first are the options of the first action that has any.
func (f *Frame) first(at *At) []*eventv1.Option {
	q := at.query
	if len(q.Actions) > 0 {
		for _, id := range q.Actions {
			if out := f.named(at, id); len(out) > 0 {
				return out
			}
		}
		return nil
	}
	for _, a := range f.actions {
		if !q.Wants(a.ID, string(a.Group)) {
			continue
		}
		if out := f.of(at, a, nil); len(out) > 0 {
			return out
		}
	}
	return f.named(at, rules.EndTurnAction)
}

// named are the options of the action of an id that the query names, as far as it wants
// its group.
func (f *Frame) named(at *At, id string) []*eventv1.Option {
	if a := f.byID[id]; a != nil && at.query.WantsGroup(string(a.Group)) {
		return f.of(at, a, nil)
	}
	if id == rules.EndTurnAction && at.query.WantsGroup(string(GroupTurn)) {
		return at.listed(nil, f.endTurn(at))
	}
	return nil
}

// of adds the options of an action, or of what content has in its place, to those of a
// listing.
func (f *Frame) of(at *At, a *Action, out []*eventv1.Option) []*eventv1.Option {
	first := len(out)
	by, cite := f.replaced(at.Content, at.State, at.Actor, a)
	return f.under(a, by, cite, f.list(at, by, out), first)
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

// list adds the options of an action to those of a listing.
func (f *Frame) list(at *At, a *Action, out []*eventv1.Option) []*eventv1.Option {
	take := at.Take
	at.Action, take.Action, take.Item = a, a.ID, ""
	if f.Whole {
		if err := f.may(at); err != nil {
			return at.listed(out, at.forbidden(nil, err))
		}
	}
	for _, item := range a.ways(at) {
		take.Item = item
		out = at.listed(out, f.Option(at))
	}
	if a.Further == nil {
		return out
	}
	take.Item = ""
	for _, o := range a.Further(at) {
		if o.Legal {
			at.query.Strip(o) // what it adds by itself
		}
		out = at.listed(out, o)
	}
	return out
}

// listed adds an option to a listing that wants it.
func (at *At) listed(out []*eventv1.Option, o *eventv1.Option) []*eventv1.Option {
	if at.query.LegalOnly && !o.Legal {
		return out
	}
	if out == nil && at.room != nil {
		out = at.room.Options(2)
	}
	return append(out, o)
}

// NewOption is an empty option; of a listing many are made at once.
func (at *At) NewOption() *eventv1.Option {
	if at.room == nil {
		return &eventv1.Option{}
	}
	return at.room.Option()
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
// action and item, and what is chosen inside another action. In a listing of legal
// options alone one that is not legal says no more than that.
func (f *Frame) Option(at *At) *eventv1.Option {
	a := at.Action
	defer f.ease(at)()
	if err := f.may(at); err != nil {
		return at.forbidden(nil, err)
	}
	if a.Refuse != nil {
		if err := a.Refuse(at); err != nil {
			return at.forbidden(nil, err)
		}
	}
	aim, err := f.aim(at)
	if err != nil && at.query.LegalOnly {
		return notLegal
	}
	o := f.bare(at)
	o.Targets, o.MinimumTargets, o.MaximumTargets = aim.targets, aim.least, aim.most
	if err != nil {
		return at.forbidden(o, err)
	}
	return f.detail(at, o)
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
func (f *Frame) detail(at *At, o *eventv1.Option) *eventv1.Option {
	a := at.Action
	if !at.query.WithoutDetails {
		o.Parameters, o.Facts = f.Takes(at)
		if a.Provokes != nil && !at.quiet() {
			o.Provokes = a.Provokes(at)
		}
		if a.Squares != nil && !at.query.WithoutSquares {
			o.Squares, o.SquaresCut = a.Squares(at)
		}
		if a.Area != nil {
			o.Area = a.Area(at)
		}
	}
	if a.Choices == nil || a.Chooses != nil && !a.Chooses(at) {
		return o
	}
	choices := a.Choices(at)
	if !at.query.WithoutDetails {
		o.Choices = choices
	}
	if len(choices) == 0 {
		return at.forbidden(o, fault.Refuse("NO_CHOICE", a.Rule, NothingToChoose))
	}
	return o
}

// Takes lists the words that an action takes that way, as an option shows them; the
// facts are shared, and so are the parameters of an action without Fields.
func (f *Frame) Takes(at *At) (parameters, facts []*eventv1.Parameter) {
	a, s := at.Action, at.Action.shown
	if a.Fields == nil {
		return s.parameters, s.facts
	}
	fields := a.Fields(at)
	defer at.giveBack()
	if at.room != nil {
		parameters = at.room.Parameters(len(fields))
	} else {
		parameters = make([]*eventv1.Parameter, len(fields))
	}
	for i, field := range fields {
		if parameters[i] = field.made; field.made == nil {
			parameters[i] = field.parameter(s.words[field.Name])
		}
	}
	return parameters, s.facts
}

// giveBack ends the use of the list of fields that was lent.
func (at *At) giveBack() {
	if at.kept != nil && at.kept.lent {
		clear(at.kept.fields[:])
		at.kept.lent = false
	}
}

// aimed are the targets that are left, with how many it takes.
type aimed struct {
	targets     []string
	least, most int32
}

// aim finds the targets that are left, or says why there are too few.
func (f *Frame) aim(at *At) (out aimed, why error) {
	a := at.Action
	least, most := a.Targets(at)
	if most == 0 {
		return out, nil
	}
	candidates := at.Creatures()
	if a.Candidates != nil {
		candidates = a.Candidates(at)
	}
	for _, id := range candidates {
		t := at.State.Creatures[id]
		if t.GetId() == at.Actor.GetId() && !a.Self {
			continue
		}
		if err := at.RefusedTarget(t); err == nil {
			if out.targets == nil {
				out.targets = at.Names(len(candidates))
			}
			out.targets = append(out.targets, id)
		} else if why == nil || t.Side != at.Actor.Side {
			why = err // of those who refuse, a foe says most
		}
	}
	if out.least, out.most = least, most; !a.repeats(at) {
		out.most = min(most, int32(len(out.targets)))
	}
	if int32(len(out.targets)) >= least {
		return out, nil
	}
	if why == nil {
		why = fault.Refuse("NO_TARGET", a.Rule, "there is nobody to aim at")
	}
	return out, why
}

// Names is an empty list with room for so many names or ids, good as long as the options
// of the listing.
func (at *At) Names(n int) []string {
	if at.room != nil {
		return at.room.IDs(n)
	}
	return make([]string, 0, n)
}

// notLegal stands for what a listing of legal options alone leaves out. It must not
// be changed.
var notLegal = &eventv1.Option{}

// forbidden makes an option illegal, and takes from it what only a legal one shows;
// how many targets it takes stays. Nil is the option of the place.
func (at *At) forbidden(o *eventv1.Option, err error) *eventv1.Option {
	if at.query.LegalOnly {
		return notLegal
	}
	if o == nil {
		o = at.frame.bare(at)
	}
	at.told = at.told.Of(err)
	at.told.Forbid(o)
	o.Targets, o.Choices = nil, nil
	return o
}

// endTurn is the option to end the turn.
func (f *Frame) endTurn(at *At) *eventv1.Option {
	var err error
	if f.EndTurn != nil {
		err = f.EndTurn(at)
	}
	if err != nil && at.query.LegalOnly {
		return notLegal
	}
	o := at.NewOption()
	o.Creature, o.Action, o.Title, o.Rule, o.Legal, o.Group = at.Actor.Id, rules.EndTurnAction, f.EndTurnTitle, f.EndTurnRule, true, string(GroupTurn)
	rules.Forbid(o, err)
	return o
}
