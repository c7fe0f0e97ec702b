package event

import (
	"slices"
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Somebody stands in a veiled text for the name of a creature that the audience
// does not know of.
const Somebody = "somebody unseen"

// Veil is what an event becomes while creatures are staged, in the state just
// before it: unchanged when its audience knows of every creature that it names.
// Otherwise it goes to those who know of them, and, where it is about somebody
// else, once more to its audience without them. An event that says nothing
// without them goes to those who know alone.
func Veil(s *eventv1.State, e *eventv1.Event) []*eventv1.Event {
	if e.GetAudience().GetKind() == eventv1.Audience_KIND_GM || e.GetOrder().GetOrder().GetBy().GetRole() == eventv1.Principal_ROLE_PLAYER {
		return []*eventv1.Event{e} // the condition of an order is its giver's own words
	}
	if e.GetEntropyGiven() != nil || e.GetBeaconNamed() != nil {
		return []*eventv1.Event{e} // the giver's own words, which are hashed
	}
	about := unknownIn(s, e)
	if len(about) == 0 {
		return []*eventv1.Event{e}
	}
	told := veiled(e, about, newCurtain(s, e, about))
	if told.GetTurnStarted() != nil && slices.Equal(told.GetTurnStarted().Creatures, activeFor(s, e.Audience)) {
		told = nil // somebody unseen joins a turn: for the others nothing has come
	}
	if told != nil && told.GetRoll() != nil {
		return []*eventv1.Event{told} // a roll has one address and is told once
	}
	full := &eventv1.Event{Audience: narrowed(e.Audience, about), Rules: e.Rules, Bookkeeping: e.Bookkeeping, What: e.What}
	if told == nil {
		return []*eventv1.Event{full}
	}
	return []*eventv1.Event{told, full}
}

// activeFor are those whose turn it is, as far as an audience knows.
func activeFor(s *eventv1.State, a *eventv1.Audience) []string {
	return slices.DeleteFunc(slices.Clone(s.Active), func(id string) bool {
		c := s.Creatures[id]
		return c.GetStaged() && !knows(a, c)
	})
}

func sortedIDs(m map[string]*eventv1.Creature) []string {
	ids := make([]string, 0, len(m))
	// order-free: sorted below
	for id := range m {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}

// knows tells whether all of an audience know of a staged creature.
func knows(a *eventv1.Audience, c *eventv1.Creature) bool {
	if a.GetKind() != eventv1.Audience_KIND_CREATURES {
		return false
	}
	for _, id := range a.Creatures {
		if id != c.Id && !slices.Contains(c.KnownTo, id) {
			return false
		}
	}
	return true
}

// Narrow are those of an audience who know of a creature.
func Narrow(s *eventv1.State, a *eventv1.Audience, creature string) *eventv1.Audience {
	c := s.Creatures[creature]
	if !c.GetStaged() || a.GetKind() == eventv1.Audience_KIND_GM || knows(a, c) {
		return a
	}
	return narrowed(a, []*eventv1.Creature{c})
}

// narrowed are those of an audience who know of all the creatures.
func narrowed(a *eventv1.Audience, about []*eventv1.Creature) *eventv1.Audience {
	var ids []string
	for _, id := range append([]string{about[0].Id}, about[0].KnownTo...) {
		if a.GetKind() == eventv1.Audience_KIND_CREATURES && !slices.Contains(a.Creatures, id) {
			continue
		}
		if !slices.ContainsFunc(about, func(c *eventv1.Creature) bool { return id != c.Id && !slices.Contains(c.KnownTo, id) }) {
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 {
		return GM()
	}
	return Controllers(ids...)
}

// unknownIn are the creatures that an event names and that not all of its
// audience know of.
func unknownIn(s *eventv1.State, e *eventv1.Event) []*eventv1.Creature {
	var about []*eventv1.Creature
	for _, id := range sortedIDs(s.Creatures) {
		c := s.Creatures[id]
		if !c.Staged || knows(e.Audience, c) {
			continue
		}
		named := newCurtain(s, e, []*eventv1.Creature{c})
		found := false
		walkText(e.ProtoReflect(), func(text string) string {
			found = found || text == c.Id || named.text(text) != text
			return text
		})
		if found {
			about = append(about, c)
		}
	}
	return about
}

// veiled is an event without creatures; nil when it is about them, or would say
// something else without them.
func veiled(e *eventv1.Event, about []*eventv1.Creature, names *curtain) *eventv1.Event {
	hidden := func(id string) bool {
		return slices.ContainsFunc(about, func(c *eventv1.Creature) bool { return c.Id == id })
	}
	if slices.ContainsFunc(abouts(e), hidden) {
		return nil
	}
	out := proto.Clone(e).(*eventv1.Event)
	switch w := out.GetWhat().(type) {
	case *eventv1.Event_Mark, *eventv1.Event_Task, *eventv1.Event_Note, *eventv1.Event_SheetSet,
		*eventv1.Event_Relation, *eventv1.Event_RelationEnded, *eventv1.Event_Begun:
		return nil
	case *eventv1.Event_TurnStarted:
		if w.TurnStarted.Creatures = slices.DeleteFunc(w.TurnStarted.Creatures, hidden); len(w.TurnStarted.Creatures) == 0 {
			return nil
		}
	case *eventv1.Event_TurnEnded:
		if w.TurnEnded.Creatures = slices.DeleteFunc(w.TurnEnded.Creatures, hidden); len(w.TurnEnded.Creatures) == 0 {
			return nil
		}
	case *eventv1.Event_Action:
		w.Action.Targets = slices.DeleteFunc(w.Action.Targets, hidden)
	case *eventv1.Event_DiceEpoch:
		w.DiceEpoch.Commitments = slices.DeleteFunc(w.DiceEpoch.Commitments, func(c *eventv1.Commitment) bool {
			return hidden(strings.TrimPrefix(c.Branch, "creature/"))
		})
		if len(w.DiceEpoch.Commitments) == 0 {
			return nil
		}
	case *eventv1.Event_DecisionRequested:
		w.DecisionRequested.Decision.Against = slices.DeleteFunc(w.DecisionRequested.Decision.Against, hidden)
		w.DecisionRequested.Decision.Options = slices.DeleteFunc(w.DecisionRequested.Decision.Options, func(o *eventv1.DecisionOption) bool { return hidden(o.Id) })
	}
	walkText(out.ProtoReflect(), func(text string) string {
		for _, c := range about {
			if text == c.Id {
				return ""
			}
		}
		return names.text(text)
	})
	return out
}

// abouts are the creatures that an event is about: without them there is nothing
// to tell.
func abouts(e *eventv1.Event) []string {
	switch w := e.GetWhat().(type) {
	case *eventv1.Event_CreatureAdded:
		return []string{w.CreatureAdded.Creature}
	case *eventv1.Event_CreatureRemoved:
		return []string{w.CreatureRemoved.Creature}
	case *eventv1.Event_Action:
		return []string{w.Action.Creature}
	case *eventv1.Event_Roll:
		return []string{w.Roll.Creature}
	case *eventv1.Event_Attack:
		return []string{w.Attack.Target}
	case *eventv1.Event_Damage:
		return []string{w.Damage.Target}
	case *eventv1.Event_Healing:
		return []string{w.Healing.Target}
	case *eventv1.Event_Counter:
		return []string{w.Counter.Subject}
	case *eventv1.Event_Mark:
		return []string{w.Mark.Subject}
	case *eventv1.Event_Note:
		return []string{w.Note.Creature}
	case *eventv1.Event_DecisionRequested:
		return []string{w.DecisionRequested.Decision.GetCreature()}
	case *eventv1.Event_DecisionAnswered:
		return []string{w.DecisionAnswered.Creature}
	case *eventv1.Event_Task:
		return []string{w.Task.Task.GetCreature()}
	case *eventv1.Event_Learned:
		return []string{w.Learned.About, w.Learned.Creature}
	case *eventv1.Event_DiceRevealed:
		return []string{strings.TrimPrefix(w.DiceRevealed.Branch, "creature/")}
	}
	return []string{subject(e)}
}

// walkText puts every text of a message through fn, keys of maps but looked at.
func walkText(m protoreflect.Message, fn func(string) string) {
	m.Range(func(f protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		text := f.Kind() == protoreflect.StringKind
		inner := f.Kind() == protoreflect.MessageKind
		switch {
		case f.FullName() == "skald.event.v1.Event.audience" || f.FullName() == "skald.event.v1.Event.rules":
		case f.IsMap():
			walkMap(v.Map(), f, fn)
		case f.IsList():
			for i := range v.List().Len() {
				switch {
				case text:
					if said := v.List().Get(i).String(); fn(said) != said {
						v.List().Set(i, protoreflect.ValueOfString(fn(said)))
					}
				case inner:
					walkText(v.List().Get(i).Message(), fn)
				}
			}
		case text:
			if said := fn(v.String()); said != v.String() {
				m.Set(f, protoreflect.ValueOfString(said))
			}
		case inner:
			walkText(v.Message(), fn)
		}
		return true
	})
}

func walkMap(m protoreflect.Map, f protoreflect.FieldDescriptor, fn func(string) string) {
	m.Range(func(k protoreflect.MapKey, v protoreflect.Value) bool {
		if f.MapKey().Kind() == protoreflect.StringKind && fn(k.String()) != k.String() {
			m.Clear(k)
			return true
		}
		switch f.MapValue().Kind() {
		case protoreflect.StringKind:
			if said := fn(v.String()); said != v.String() {
				m.Set(k, protoreflect.ValueOfString(said))
			}
		case protoreflect.MessageKind:
			walkText(v.Message(), fn)
		}
		return true
	})
}
