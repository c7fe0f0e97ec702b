package vectors

import (
	"math/rand/v2"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/skaldrpg/skald/pkg/event"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// words are those of made events: few, so that ids meet often, and some that a
// careless program trips over.
var words = []string{"", "a", "b", "c", "side:x", "side:", "constructor", "toString", "gm", "everyone"}

// Made are steps of events that no fight would have in this order, the same for the
// same seed: every kind of event, about creatures that are there and that are not.
func Made(seed uint64, steps int) []*encounterv1.Step {
	r := maker{rand.New(rand.NewPCG(seed, 7))}
	out := make([]*encounterv1.Step, 0, steps)
	for range steps {
		s := &encounterv1.Step{}
		for range 1 + r.IntN(6) {
			s.Events = append(s.Events, r.event())
		}
		if r.IntN(12) == 0 {
			s.Restored = event.NewState()
			for range 20 {
				event.Fold(s.Restored, r.event())
			}
		}
		out = append(out, s)
	}
	return out
}

type maker struct{ *rand.Rand }

func (r maker) event() *eventv1.Event {
	e := &eventv1.Event{Audience: event.Everyone()}
	fields := e.ProtoReflect().Descriptor().Oneofs().ByName("what").Fields()
	n := r.IntN(fields.Len() + 8)
	if n >= fields.Len()+1 { // a creature enters
		e.What = &eventv1.Event_CreatureAdded{CreatureAdded: &eventv1.CreatureAdded{Creature: words[1+r.IntN(len(words)-1)], Side: "x", Name: "n"}}
		return e
	}
	if n == fields.Len() {
		return e // of a kind that nobody knows
	}
	r.fill(e.ProtoReflect().Mutable(fields.Get(n)).Message(), 3)
	switch w := e.What.(type) {
	case *eventv1.Event_DecisionRequested:
		if w.DecisionRequested.Decision == nil {
			w.DecisionRequested.Decision = &eventv1.Decision{Id: "d"}
		}
	case *eventv1.Event_Task:
		if w.Task.Task == nil {
			w.Task.Task = &eventv1.Task{Id: "t"}
		}
	case *eventv1.Event_Forked:
		s := event.NewState()
		for range 10 {
			event.Fold(s, event.New(event.Everyone(), &eventv1.CreatureAdded{Creature: words[1+r.IntN(3)]}))
		}
		if data, err := (proto.MarshalOptions{Deterministic: true}).Marshal(s); err == nil {
			w.Forked.Views = map[string][]byte{"spectator": {1}}
			if r.IntN(2) == 0 {
				w.Forked.Views["gm"] = data
			}
		}
	}
	return e
}

func (r maker) fill(m protoreflect.Message, depth int) {
	fields := m.Descriptor().Fields()
	for i := range fields.Len() {
		f := fields.Get(i)
		if f.ContainingOneof() != nil && !f.HasOptionalKeyword() || depth == 0 && f.Message() != nil {
			continue
		}
		switch {
		case f.IsMap():
			if f.MapValue().Message() == nil {
				for range r.IntN(3) {
					m.Mutable(f).Map().Set(r.scalar(f.MapKey()).MapKey(), r.scalar(f.MapValue()))
				}
			}
		case f.IsList():
			for range r.IntN(3) {
				if f.Message() == nil {
					m.Mutable(f).List().Append(r.scalar(f))
					continue
				}
				v := m.Mutable(f).List().NewElement()
				r.fill(v.Message(), depth-1)
				m.Mutable(f).List().Append(v)
			}
		case f.Message() != nil:
			if r.IntN(3) > 0 && f.Message().FullName() != "google.protobuf.Struct" {
				r.fill(m.Mutable(f).Message(), depth-1)
			}
		default:
			m.Set(f, r.scalar(f))
		}
	}
}

func (r maker) scalar(f protoreflect.FieldDescriptor) protoreflect.Value {
	n := r.IntN(5)
	switch f.Kind() {
	case protoreflect.StringKind:
		return protoreflect.ValueOfString(words[r.IntN(len(words))])
	case protoreflect.BoolKind:
		return protoreflect.ValueOfBool(n > 2)
	case protoreflect.BytesKind:
		return protoreflect.ValueOfBytes(make([]byte, n))
	case protoreflect.EnumKind:
		return protoreflect.ValueOfEnum(f.Enum().Values().Get(r.IntN(f.Enum().Values().Len())).Number())
	case protoreflect.Int64Kind:
		return protoreflect.ValueOfInt64(int64(n-2) << (20 * n)) // beyond what a double holds
	case protoreflect.Uint64Kind:
		return protoreflect.ValueOfUint64(uint64(n) << (15 * n))
	case protoreflect.Uint32Kind:
		if n == 4 {
			return protoreflect.ValueOfUint32(1<<31 | 2)
		}
		return protoreflect.ValueOfUint32(uint32(n))
	}
	return protoreflect.ValueOfInt32(int32(n - 2))
}
