package event

import (
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// was is what a state that is changed in place was before: its fields, and those of the
// creatures that were changed. Maps need not be kept, since they are copied when they
// are first written to.
type was struct {
	state     eventv1.State
	creatures map[string]*eventv1.Creature
}

// Own makes a shared state that is the one given, for whom nobody else reads: it spares
// the copy of the creatures, of which most events change one. [Shared.Undo] puts back
// what was.
func Own(s *eventv1.State) *Shared {
	out := &Shared{State: s, was: &was{}}
	shareState(&out.was.state, s)
	return out
}

// Undo makes a state that is changed in place what it was before the first event; those
// who hold its creatures see it. Of a state that is not it changes nothing.
func (s *Shared) Undo() {
	if s.was == nil {
		return
	}
	shareState(s.State, &s.was.state)
	// order-free: each creature by itself
	for id, c := range s.was.creatures {
		copyCreature(s.State.Creatures[id], c)
	}
	s.own, s.ofCreatures, s.was.creatures = 0, nil, nil
}

// keep remembers the creatures that an event changes as they are before it.
func (s *Shared) keep(e *eventv1.Event) {
	switch w := e.GetWhat().(type) {
	case *eventv1.Event_CreatureAdded:
		s.keepOne(w.CreatureAdded.Creature) // it may be there, and only told of again
	case *eventv1.Event_CreatureRemoved:
		// order-free: each creature by itself
		for id := range s.State.Creatures {
			s.keepOne(id) // ties of any to it end
		}
	case *eventv1.Event_Counter:
		s.keepOne(w.Counter.Subject)
	case *eventv1.Event_Mark:
		s.keepOne(w.Mark.Subject)
	default:
		s.keepOne(subject(e))
	}
}

func (s *Shared) keepOne(id string) {
	c := s.State.Creatures[id]
	if c == nil || s.was.creatures[id] != nil || s.was.state.Creatures[id] != c {
		return // nobody, known already, or come since
	}
	if s.was.creatures == nil {
		s.was.creatures = map[string]*eventv1.Creature{}
	}
	kept := &eventv1.Creature{}
	copyCreature(kept, c)
	s.was.creatures[id] = kept
}
