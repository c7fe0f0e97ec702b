package event

import (
	"testing"

	"google.golang.org/protobuf/proto"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Each event of the vocabulary folds into a state in place as into any other, and is
// undone without a trace.
func TestOwnIsUndone(t *testing.T) {
	var all []*eventv1.Event
	what := (&eventv1.Event{}).ProtoReflect().Descriptor().Oneofs().ByName("what").Fields()
	for i := range what.Len() {
		e := &eventv1.Event{}
		filled(e.ProtoReflect().Mutable(what.Get(i)).Message(), 2)
		all = append(all, e)
	}
	all = append(all, &eventv1.Event{What: &eventv1.Event_CreatureAdded{CreatureAdded: &eventv1.CreatureAdded{Creature: "new", Side: "theirs"}}},
		&eventv1.Event{What: &eventv1.Event_Counter{Counter: &eventv1.CounterSet{Subject: "new", Counter: "n", Value: 3}}},
		&eventv1.Event{What: &eventv1.Event_Counter{Counter: &eventv1.CounterSet{Subject: "side:x", Counter: "n", Value: 3}}},
		&eventv1.Event{What: &eventv1.Event_Counter{Counter: &eventv1.CounterSet{Counter: "n", Value: 3}}})
	before := &eventv1.State{}
	filled(before.ProtoReflect(), 2)
	changed := 0
	for i, first := range all {
		for j := range 8 { // the four at the end and some others
			second := all[(i+1+j*j)%len(all)]
			if j < 4 {
				second = all[len(all)-1-j]
			}
			s, plain := Clone(before), Clone(before)
			held := s.Creatures["x"]
			own := Own(s)
			for _, e := range []*eventv1.Event{first, second, first} {
				own.Fold(e)
				Fold(plain, e)
			}
			if own.State != s || !proto.Equal(s, plain) {
				t.Fatalf("%s and %s in place are %v, want %v", Kind(first), Kind(second), s, plain)
			}
			if !proto.Equal(s, before) {
				changed++
			}
			own.Undo()
			if !proto.Equal(s, before) || s.Creatures["x"] != held {
				t.Fatalf("%s and %s undone are %v, want %v", Kind(first), Kind(second), s, before)
			}
			own.Fold(second) // it may be used again
			own.Undo()
			if !proto.Equal(s, before) {
				t.Fatalf("%s undone once more is %v, want %v", Kind(second), s, before)
			}
		}
	}
	if changed < 100 {
		t.Errorf("%d of the pairs of events change something", changed)
	}
}
