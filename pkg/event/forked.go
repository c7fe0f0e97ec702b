package event

import (
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// ForkViewGM is the key of the whole state among the views of a fork.
const ForkViewGM = "gm"

// foldForked begins a state as the whole one of a fork says: only the game master
// hears of it. The views of others are set by whoever holds them. What cannot be read
// changes nothing (I1).
func foldForked(s *eventv1.State, f *eventv1.EncounterForked) {
	data, ok := f.Views[ForkViewGM]
	then := &eventv1.State{}
	if !ok || proto.Unmarshal(data, then) != nil {
		return
	}
	fresh := NewState() // its maps are there, also where they are empty
	proto.Reset(s)
	s.Settings, s.Creatures, s.Counters, s.Marks = fresh.Settings, fresh.Creatures, fresh.Counters, fresh.Marks
	s.Sides, s.Decisions, s.Tasks, s.Commitments = fresh.Sides, fresh.Decisions, fresh.Tasks, fresh.Commitments
	to := s.ProtoReflect()
	Ready(then).ProtoReflect().Range(func(fd protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		to.Set(fd, v)
		return true
	})
}
