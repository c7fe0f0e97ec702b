package play

import (
	"maps"
	"slices"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// What content does to actions is done here for all systems: what is barred, what
// another action is carried out for, what costs more or less. A readied action, or
// one that is chosen inside another, is judged as itself: nothing replaces it.

// env is the place as expressions of content see it.
func (at *At) env() effects.Env {
	e := effects.Env{State: at.State, Actor: at.Actor, Target: at.Target(), Weapon: effects.Weapon{Name: at.Item()}, Action: at.Action.ID}
	if at.Action.Group == GroupMagic {
		e.Spell = at.Item()
	}
	return e
}

// barred says by what content an action may not be taken; nil when it may.
func (at *At) barred() error {
	if !at.Content.Asks(effects.KindBar) {
		return nil
	}
	by, barred := at.Content.Barred(at.Actor, at.Action.ID, at.env())
	if !barred {
		return nil
	}
	return fault.Refuse("BARRED", by.Rule, "%s cannot take %s: %s", at.Actor.GetName(), at.Action.ID, by.Title)
}

// Barred says by what content the action may not be taken; nil when it may. Systems
// ask it of actions inside others, such as those that are readied.
func (at *At) Barred() error { return at.barred() }

// quiet tells whether content keeps the action from provoking anybody.
func (at *At) quiet() bool {
	if !at.Content.Asks(effects.KindNoProvoke) {
		return false
	}
	_, none := at.Content.NoProvoke(at.Actor, at.Action.ID, at.env())
	return none
}

// changed are costs as content has them; those of nothing are left out.
func (at *At) changed(costs []Cost) []Cost {
	out := make([]Cost, 0, len(costs))
	for _, c := range costs {
		if c.Amount = at.Content.Cost(at.Actor, at.Action.ID, c.Counter, c.Amount, at.env()).Value; c.Amount > 0 {
			out = append(out, c)
		}
	}
	return out
}

// relief is what content takes off what an action costs of a counter; below 0 it
// costs more.
type relief struct {
	counter string
	amount  int32
	cites   []effects.Cite
}

// reliefs are those of the action that way; none where content changes nothing, or where
// there is no such way: what it costs nobody can say.
func (at *At) reliefs() []relief {
	if !at.Content.Asks(effects.KindCost) || !slices.Contains(at.Action.ways(at), at.Item()) {
		return nil
	}
	var out []relief
	for _, c := range at.Action.own(at) {
		if n := at.Content.Cost(at.Actor, at.Action.ID, c.Counter, c.Amount, at.env()); n.Value != c.Amount {
			out = append(out, relief{c.Counter, c.Amount - n.Value, n.Cites})
		}
	}
	return out
}

// ease lets the refusals of an action see its actor with so much more, or less, of
// what content changes in its cost; back ends that. The state stays as it is.
func (f *Frame) ease(at *At) (back func()) {
	if !f.Relieves {
		return func() {}
	}
	list := at.reliefs()
	if len(list) == 0 {
		return func() {}
	}
	s, c := at.State, at.Actor
	counters := maps.Clone(c.Counters)
	if counters == nil {
		counters = map[string]int64{}
	}
	for _, x := range list {
		counters[x.counter] += int64(x.amount)
	}
	seen := shallow(c).(*eventv1.Creature)
	seen.Counters = counters
	state := shallow(s).(*eventv1.State)
	state.Creatures = maps.Clone(s.Creatures)
	state.Creatures[c.Id] = seen
	at.State, at.Actor = state, seen
	return func() { at.State, at.Actor = s, c }
}

// relieve gives the actor of a command what content takes off its cost, or takes
// what it costs more, before the deed pays what the book says.
func (f *Frame) relieve(r *rules.Resolution, at *At) {
	if !f.Relieves {
		return
	}
	for _, x := range at.reliefs() {
		var behind []string
		for _, c := range x.cites {
			behind = append(behind, c.Rule)
		}
		r.Set(at.Actor.Id, x.counter, r.Count(at.Actor.Id, x.counter)+int64(x.amount), x.cites[0].Title, behind...)
	}
}

// shallow is a copy of a message that shares what is in it.
func shallow(m proto.Message) proto.Message {
	out := m.ProtoReflect().New()
	m.ProtoReflect().Range(func(f protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		out.Set(f, v)
		return true
	})
	return out.Interface()
}

// replaced is the action that is listed in place of one, and by what; the same
// action when nothing replaces it. A command is replaced before it comes here.
func (f *Frame) replaced(content *effects.Book, s *eventv1.State, c *eventv1.Creature, a *Action) (*Action, effects.Cite) {
	if !content.Asks(effects.KindReplace) || c == nil {
		return a, effects.Cite{}
	}
	by, cite, found := content.Replacement(c, a.ID, effects.Env{State: s, Actor: c})
	if other := f.byID[by]; found && other != nil && (a.Referee || !other.Referee) {
		return other, cite
	}
	return a, effects.Cite{}
}
