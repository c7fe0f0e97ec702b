package event_test

import (
	"slices"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/recorded"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// everyRecorded runs a test for every fight that a build of the past recorded.
func everyRecorded(t *testing.T, hold func(t *testing.T, f recorded.Fight)) {
	sets, err := recorded.Sets()
	if err != nil {
		t.Fatal(err)
	}
	for _, set := range sets {
		systems, err := recorded.Systems(set)
		if err != nil {
			t.Fatal(err)
		}
		for _, system := range systems {
			fights, err := recorded.Load(set, system)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range fights {
				t.Run(set+"/"+system+"/"+f.Name, func(t *testing.T) { hold(t, f) })
			}
		}
	}
}

// Commits of the past open, follow each other, and hold nothing that this build
// does not know.
func TestRecordedCommitsVerify(t *testing.T) {
	everyRecorded(t, func(t *testing.T, f recorded.Fight) {
		var before *event.Opened
		for i, data := range f.Commits {
			o, err := event.Open(data)
			if err != nil {
				t.Fatalf("commit %d: %v", i+1, err)
			}
			if err := event.Follows(before, o); err != nil {
				t.Fatal(err)
			}
			before = o
			all := []proto.Message{o.Header, o.Cause, o.Inputs, read(t, o.Cause.Command, &eventv1.Command{}), read(t, o.Cause.Ruled, &eventv1.TakeAction{})}
			for _, e := range o.Events {
				all = append(all, e)
				for _, again := range e.GetAmended().GetCommands() {
					all = append(all, redecided(t, again)...)
				}
			}
			for _, m := range all {
				known(t, m.ProtoReflect())
			}
		}
	})
}

func redecided(t *testing.T, c *eventv1.Redecided) []proto.Message {
	t.Helper()
	all := []proto.Message{read(t, c.Command, &eventv1.Command{}), read(t, c.Ruled, &eventv1.TakeAction{})}
	for _, data := range c.Inputs {
		all = append(all, read(t, data, &eventv1.Input{}))
	}
	for _, data := range c.Events {
		all = append(all, read(t, data, &eventv1.Event{}))
	}
	return all
}

func read(t *testing.T, data []byte, into proto.Message) proto.Message {
	t.Helper()
	if err := proto.Unmarshal(data, into); err != nil {
		t.Fatal(err)
	}
	return into
}

// known holds that a message has no fields that this build does not know.
func known(t *testing.T, m protoreflect.Message) {
	t.Helper()
	if n := len(m.GetUnknown()); n > 0 {
		t.Errorf("%s: %d bytes of unknown fields", m.Descriptor().FullName(), n)
	}
	m.Range(func(f protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch {
		case f.IsMap():
			if f.MapValue().Message() != nil {
				v.Map().Range(func(_ protoreflect.MapKey, v protoreflect.Value) bool {
					known(t, v.Message())
					return true
				})
			}
		case f.Message() == nil:
		case f.IsList():
			for i := range v.List().Len() {
				known(t, v.List().Get(i).Message())
			}
		default:
			known(t, v.Message())
		}
		return true
	})
}

// Fights of the past in which nothing was ruled fold to what every viewer knew at
// their end. Those with rulings need the whole history: the encounter's replica
// holds them.
func TestRecordedFightsFold(t *testing.T) {
	folded := 0
	everyRecorded(t, func(t *testing.T, f recorded.Fight) {
		var events []*eventv1.Event
		for _, data := range f.Commits {
			o, err := event.Open(data)
			if err != nil {
				t.Fatal(err)
			}
			events = append(events, o.Events...)
		}
		if slices.ContainsFunc(events, func(e *eventv1.Event) bool { return e.GetReverted() != nil || e.GetAmended() != nil }) {
			return
		}
		folded++
		for viewer, want := range f.States {
			if got := viewed(events, viewer); !proto.Equal(got, want) {
				changes, err := event.Difference(want, got)
				t.Errorf("%s: today's fold is not the state of then: %v %v", viewer, changes, err)
			}
		}
	})
	if folded < 50 {
		t.Errorf("only %d fights without rulings", folded)
	}
}

// viewed is what a viewer's fold comes to. A player hears from the moment it
// controls something what belongs to it, before that what everybody hears.
func viewed(events []*eventv1.Event, viewer string) *eventv1.State {
	as := &eventv1.Principal{Role: eventv1.Principal_ROLE_GM}
	switch {
	case viewer == "spectator":
		as.Role = eventv1.Principal_ROLE_SPECTATOR
	case viewer != "gm":
		as.Role, as.Name = eventv1.Principal_ROLE_PLAYER, viewer[len("player/"):]
	}
	s := event.NewState()
	event.FoldAll(s, event.Visible(event.NewState(), events, as))
	return s
}
