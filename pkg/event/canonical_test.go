package event_test

import (
	"bytes"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/recorded"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// The canonical form is read back as the same message, whatever order its maps have in
// memory, and is as long as any other form.
func TestCanonical(t *testing.T) {
	sets, err := recorded.Sets()
	if err != nil {
		t.Fatal(err)
	}
	systems, err := recorded.Systems(sets[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, system := range systems {
		fights, err := recorded.Load(sets[0], system)
		if err != nil {
			t.Fatal(err)
		}
		for viewer, s := range fights[0].States {
			data := event.Canonical(s)
			back := &eventv1.State{}
			if err := proto.Unmarshal(data, back); err != nil || !proto.Equal(back, s) {
				t.Errorf("%s %s: read back as another: %v", system, viewer, err)
			}
			for range 3 {
				if !bytes.Equal(event.Canonical(proto.Clone(back)), data) {
					t.Errorf("%s %s: two forms", system, viewer)
				}
			}
			if len(data) != proto.Size(s) {
				t.Errorf("%s %s: %d bytes, want %d", system, viewer, len(data), proto.Size(s))
			}
		}
	}
}

// The bytes of one message, as docs/RECORD.md describes them.
func TestCanonicalBytes(t *testing.T) {
	got := event.Canonical(&eventv1.State{Encounter: "e", Round: -1, Counters: map[string]int64{"b": 0, "a": 2}})
	f := (&eventv1.State{}).ProtoReflect().Descriptor().Fields()
	tag := func(name protoreflect.Name, wire byte) []byte {
		n := int(f.ByName(name).Number())
		if v := n<<3 | int(wire); v >= 128 {
			return []byte{byte(v&127 | 128), byte(v >> 7)}
		} else {
			return []byte{byte(v)}
		}
	}
	parts := map[int][]byte{
		int(f.ByName("encounter").Number()): append(tag("encounter", 2), 1, 'e'),
		int(f.ByName("round").Number()):     append(tag("round", 0), 255, 255, 255, 255, 255, 255, 255, 255, 255, 1),
		int(f.ByName("counters").Number()): append(append(append(tag("counters", 2), 5, 0x0a, 1, 'a', 0x10, 2), tag("counters", 2)...),
			5, 0x0a, 1, 'b', 0x10, 0),
	}
	var want []byte
	for n := range 1000 {
		want = append(want, parts[n]...)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%x, want %x", got, want)
	}
}

// Values as JSON has them, numbers with a point among them, are read back as they were.
func TestCanonicalValues(t *testing.T) {
	values, err := structpb.NewStruct(map[string]any{"feet": 5, "half": -0.5, "none": nil, "list": []any{1e300, "a", true, map[string]any{"b": 2.25}}})
	if err != nil {
		t.Fatal(err)
	}
	s := &eventv1.State{Creatures: map[string]*eventv1.Creature{"a": {Begun: []*eventv1.Begun{{Id: "declared", Action: &eventv1.TakeAction{Action: "move", Parameters: values, Facts: values}}}}}}
	back, data := &eventv1.State{}, event.Canonical(s)
	if err := proto.Unmarshal(data, back); err != nil || !proto.Equal(back, s) || len(data) != proto.Size(s) {
		t.Errorf("read back as %v: %v", back, err)
	}
}
