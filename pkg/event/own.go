package event

import (
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// was is what a state that is changed in place was before: its fields, those of the
// creatures that were changed, and what was written over in their counters and marks, in
// tasks and in decisions. Other maps need not be kept, since they are copied when they are first written to.
type was struct {
	state     eventv1.State
	creatures map[string]*eventv1.Creature
	counts    []written[int64]
	words     []written[string]
	tasks     []written[*eventv1.Task]
	asked     []written[*eventv1.Decision]
	spare     []*eventv1.Creature // that were kept before, to be used again
}

// written is an entry of a map that was written over.
type written[V any] struct {
	in  map[string]V
	key string
	was V
	had bool
}

// Own makes a shared state that is the one given, for whom nobody else reads: it spares
// the copy of the creatures, of which most events change one. [Shared.Begin] and
// [Shared.Undo] may be called again and again, so that one serves a whole fight.
func Own(s *eventv1.State) *Shared {
	out := &Shared{State: s, was: &was{creatures: map[string]*eventv1.Creature{}}, ofCreatures: map[string]mapOf{}}
	out.Begin()
	return out
}

// Begin makes the state as it is now the one that [Shared.Undo] puts back. Of a state that
// is not changed in place it changes nothing.
func (s *Shared) Begin() {
	if s.was == nil {
		return
	}
	// order-free: all alike
	for _, c := range s.was.creatures {
		s.was.spare = append(s.was.spare, c)
	}
	clear(s.was.creatures)
	clear(s.ofCreatures)
	clear(s.was.counts)
	clear(s.was.words)
	clear(s.was.tasks)
	clear(s.was.asked)
	s.was.counts, s.was.words, s.was.tasks, s.was.asked = s.was.counts[:0], s.was.words[:0], s.was.tasks[:0], s.was.asked[:0]
	s.own = 0
	shareState(&s.was.state, s.State)
}

// Undo makes a state that is changed in place what it was at its beginning; those who hold
// its creatures see it. Of a state that is not it changes nothing.
func (s *Shared) Undo() {
	if s.was == nil {
		return
	}
	unwrite(s.was.counts)
	unwrite(s.was.words)
	unwrite(s.was.tasks)
	unwrite(s.was.asked)
	shareState(s.State, &s.was.state)
	s.ids = nil // somebody may have come
	// order-free: each creature by itself
	for id, c := range s.was.creatures {
		copyCreature(s.State.Creatures[id], c)
	}
	s.Begin()
}

// unwrite puts back what was written over, the last first.
func unwrite[V any](all []written[V]) {
	for i := len(all) - 1; i >= 0; i-- {
		if w := all[i]; w.had {
			w.in[w.key] = w.was
		} else {
			delete(w.in, w.key)
		}
	}
}

// keep remembers what an event changes as it is before it, and tells whether all of it is
// remembered, so that no map need be copied.
func (s *Shared) keep(e *eventv1.Event) bool {
	switch w := e.GetWhat().(type) {
	case *eventv1.Event_CreatureAdded:
		s.keepOne(w.CreatureAdded.Creature) // it may be there, and only told of again
	case *eventv1.Event_CreatureRemoved:
		// order-free: each creature by itself
		for id := range s.State.Creatures {
			s.keepOne(id) // ties of any to it end
		}
	case *eventv1.Event_Counter:
		in := s.State.Counters
		if w.Counter.Subject != "" {
			in = s.State.Creatures[w.Counter.Subject].GetCounters()
		}
		return keepEntry(&s.was.counts, in, w.Counter.Counter)
	case *eventv1.Event_Mark:
		in := s.State.Marks
		if w.Mark.Subject != "" {
			in = s.State.Creatures[w.Mark.Subject].GetMarks()
		}
		return keepEntry(&s.was.words, in, w.Mark.Mark)
	case *eventv1.Event_Task:
		return keepEntry(&s.was.tasks, s.State.Tasks, w.Task.Task.GetId())
	case *eventv1.Event_TaskEnded:
		return keepEntry(&s.was.tasks, s.State.Tasks, w.TaskEnded.Id)
	case *eventv1.Event_DecisionRequested:
		return keepEntry(&s.was.asked, s.State.Decisions, w.DecisionRequested.Decision.GetId())
	case *eventv1.Event_DecisionAnswered:
		return keepEntry(&s.was.asked, s.State.Decisions, w.DecisionAnswered.Id)
	default:
		s.keepOne(subject(e))
	}
	return false
}

// keepEntry remembers an entry of a map; false when there is no map.
func keepEntry[V any](all *[]written[V], in map[string]V, key string) bool {
	if in == nil {
		return false
	}
	was, had := in[key]
	*all = append(*all, written[V]{in, key, was, had})
	return true
}

func (s *Shared) keepOne(id string) {
	c := s.State.Creatures[id]
	if c == nil || s.was.creatures[id] != nil || s.was.state.Creatures[id] != c {
		return // nobody, known already, or come since
	}
	kept := s.was.space()
	copyCreature(kept, c)
	s.was.creatures[id] = kept
}

// space is room for a creature to keep.
func (w *was) space() *eventv1.Creature {
	n := len(w.spare)
	if n == 0 {
		return &eventv1.Creature{}
	}
	c := w.spare[n-1]
	w.spare = w.spare[:n-1]
	return c
}
