package event_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"pgregory.net/rapid"

	"github.com/skaldrpg/skald/pkg/event"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// genMessage fills a message with small random values, so that ids meet often.
func genMessage(t *rapid.T, m protoreflect.Message, depth int) {
	fields := m.Descriptor().Fields()
	for i := range fields.Len() {
		f := fields.Get(i)
		if f.ContainingOneof() != nil && !f.HasOptionalKeyword() || depth == 0 && f.Message() != nil {
			continue
		}
		switch {
		case f.IsMap():
			genMap(t, m, f)
		case f.IsList():
			list := m.Mutable(f).List()
			for range rapid.IntRange(0, 2).Draw(t, "n") {
				if f.Message() != nil {
					v := list.NewElement()
					genMessage(t, v.Message(), depth-1)
					list.Append(v)
				} else {
					list.Append(genScalar(t, f))
				}
			}
		case f.Message() != nil:
			if rapid.Bool().Draw(t, "set") {
				genMessage(t, m.Mutable(f).Message(), depth-1)
			}
		default:
			m.Set(f, genScalar(t, f))
		}
	}
}

func genMap(t *rapid.T, m protoreflect.Message, f protoreflect.FieldDescriptor) {
	if f.MapValue().Message() != nil {
		return
	}
	mm := m.Mutable(f).Map()
	for range rapid.IntRange(0, 2).Draw(t, "n") {
		mm.Set(genScalar(t, f.MapKey()).MapKey(), genScalar(t, f.MapValue()))
	}
}

func genScalar(t *rapid.T, f protoreflect.FieldDescriptor) protoreflect.Value {
	n := rapid.IntRange(0, 4).Draw(t, "v")
	switch f.Kind() {
	case protoreflect.StringKind:
		return protoreflect.ValueOfString([]string{"", "a", "b", "c", "side:x"}[n])
	case protoreflect.BoolKind:
		return protoreflect.ValueOfBool(n > 2)
	case protoreflect.BytesKind:
		return protoreflect.ValueOfBytes([]byte{byte(n)})
	case protoreflect.EnumKind:
		return protoreflect.ValueOfEnum(protoreflect.EnumNumber(n))
	case protoreflect.Int64Kind:
		return protoreflect.ValueOfInt64(int64(n - 2))
	case protoreflect.Uint64Kind:
		return protoreflect.ValueOfUint64(uint64(n))
	case protoreflect.Uint32Kind:
		return protoreflect.ValueOfUint32(uint32(n))
	default:
		return protoreflect.ValueOfInt32(int32(n - 2))
	}
}

// genEvent draws any event of the vocabulary, creatures coming up often.
func genEvent() *rapid.Generator[*eventv1.Event] {
	return rapid.Custom(func(t *rapid.T) *eventv1.Event {
		e := &eventv1.Event{Audience: &eventv1.Audience{
			Kind:      eventv1.Audience_Kind(rapid.IntRange(0, 3).Draw(t, "kind")),
			Creatures: rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b"}), 0, 2).Draw(t, "creatures")}}
		fields := e.ProtoReflect().Descriptor().Oneofs().ByName("what").Fields()
		i := rapid.IntRange(-3, fields.Len()-1).Draw(t, "what")
		if i < 0 { // a creature enters
			e.What = &eventv1.Event_CreatureAdded{CreatureAdded: &eventv1.CreatureAdded{Creature: []string{"a", "b", "c"}[i+3], Side: "x",
				Controllers: rapid.SliceOfN(rapid.SampledFrom([]string{"ann", "bob"}), 0, 2).Draw(t, "controllers")}}
			return e
		}
		f := fields.Get(i)
		genMessage(t, e.ProtoReflect().Mutable(f).Message(), 3)
		return e
	})
}

func genEvents(t *rapid.T) []*eventv1.Event {
	return rapid.SliceOfN(genEvent(), 0, 40).Draw(t, "events")
}

// I1: any events in any order fold, and always to the same state.
func TestFoldIsTotalAndDeterministic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		events := genEvents(t)
		one, two := event.NewState(), event.NewState()
		event.FoldAll(one, events)
		event.FoldAll(two, events)
		if !proto.Equal(one, two) {
			t.Fatal("two folds of the same events differ")
		}
	})
}

// I3: folding changes no event, and folding into a copy changes no original.
func TestFoldSharesNothingItWrites(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		first, rest := genEvents(t), genEvents(t)
		state := event.NewState()
		event.FoldAll(state, first)
		var kept []proto.Message
		for _, e := range append(first, rest...) {
			kept = append(kept, proto.Clone(e))
		}
		before, copied := proto.Clone(state), event.Clone(state)
		if !proto.Equal(state, copied) {
			t.Fatalf("clone differs from the original")
		}
		event.FoldAll(copied, rest)
		if !proto.Equal(before, state) {
			t.Fatal("folding into a copy changed the original")
		}
		for i, e := range append(first, rest...) {
			if !proto.Equal(kept[i], e) {
				t.Fatalf("folding changed event %d", i)
			}
		}
	})
}

// A shared state folds as a copy does, the original stays as it was, and whoever
// holds a creature of it sees what becomes of it.
func TestSharedFoldsLikeACopy(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		first, rest := genEvents(t), genEvents(t)
		state := event.NewState()
		event.FoldAll(state, first)
		before, copied, shared := proto.Clone(state), event.Clone(state), event.Share(state)
		for _, e := range rest {
			held := shared.State.Creatures["a"]
			event.Fold(copied, e)
			shared.Fold(e)
			if !proto.Equal(copied, shared.State) {
				t.Fatalf("after %v: %v, want %v", e, shared.State, copied)
			}
			if now := shared.State.Creatures["a"]; held != nil && now != nil && now != held {
				t.Fatal("a creature was replaced")
			}
		}
		if !proto.Equal(before, state) {
			t.Fatal("folding into a shared state changed the original")
		}
	})
}

// A fold may stop anywhere and go on from bytes.
func TestFoldGoesOnFromASnapshot(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		events := genEvents(t)
		at := rapid.IntRange(0, len(events)).Draw(t, "at")
		whole, half := event.NewState(), event.NewState()
		event.FoldAll(whole, events)
		event.FoldAll(half, events[:at])
		data, err := proto.Marshal(half)
		if err != nil {
			t.Fatal(err)
		}
		read := &eventv1.State{}
		if err := proto.Unmarshal(data, read); err != nil {
			t.Fatal(err)
		}
		read = event.Ready(read)
		event.FoldAll(read, events[at:])
		if !proto.Equal(whole, read) {
			t.Fatal("fold from a snapshot differs from the fold from the beginning")
		}
	})
}

// I2: what a viewer sees does not depend on what it may not see: changing every
// hidden event changes nothing in its view.
func TestViewsDoNotLeak(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		events := genEvents(t)
		spectator := &eventv1.Principal{Role: eventv1.Principal_ROLE_SPECTATOR}
		view := func(es []*eventv1.Event) (*eventv1.State, []*eventv1.Event) {
			s := event.NewState()
			seen := event.Visible(event.NewState(), es, spectator)
			event.FoldAll(s, seen)
			return s, seen
		}
		changed := make([]*eventv1.Event, len(events))
		for i, e := range events {
			changed[i] = e
			if e.Audience.Kind != eventv1.Audience_KIND_EVERYONE {
				other := genEvent().Draw(t, "secret")
				other.Audience = e.Audience
				changed[i] = other
			}
		}
		one, seenOne := view(events)
		two, seenTwo := view(changed)
		if !proto.Equal(one, two) || len(seenOne) != len(seenTwo) {
			t.Fatal("a spectator's view depends on a secret")
		}
	})
}

// An event that names a creature but holds no condition or injury adds none.
func TestEmptyConditionsAndInjuriesAddNothing(t *testing.T) {
	state := event.NewState()
	event.FoldAll(state, []*eventv1.Event{
		event.New(event.Everyone(), &eventv1.CreatureAdded{Creature: "a"}),
		event.New(event.Everyone(), &eventv1.ConditionAdded{Creature: "a"}),
		event.New(event.Everyone(), &eventv1.InjuryAdded{Creature: "a"}),
		event.New(event.Everyone(), &eventv1.InjuryRemoved{Creature: "a"}),
		event.New(event.Everyone(), &eventv1.ConditionRemoved{Creature: "a"}),
	})
	if a := state.Creatures["a"]; len(a.Conditions) != 0 || len(a.Injuries) != 0 {
		t.Fatalf("conditions %v, injuries %v", a.Conditions, a.Injuries)
	}
}

func TestUnknownEventIsCounted(t *testing.T) {
	s := event.NewState()
	event.Fold(s, &eventv1.Event{Audience: event.Everyone()})
	if s.UnknownEvents != 1 {
		t.Fatalf("unknown events: %d", s.UnknownEvents)
	}
}

func TestEveryMessageOfTheVocabularyCanBeMade(t *testing.T) {
	fields := (&eventv1.Event{}).ProtoReflect().Descriptor().Oneofs().ByName("what").Fields()
	for i := range fields.Len() {
		f := fields.Get(i)
		m := (&eventv1.Event{}).ProtoReflect().NewField(f).Message().Interface()
		if got := event.Kind(event.New(event.Everyone(), m)); got != string(f.Name()) {
			t.Errorf("%s came out as %q", f.Name(), got)
		}
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 7
	}
	return len(p), nil
}

func seal(t testing.TB, version uint64, previous []byte, events ...*eventv1.Event) (data, hash []byte) {
	t.Helper()
	data, hash, err := event.Seal(event.Draft{Header: &eventv1.CommitHeader{Kind: "encounter", Id: "e", Version: version, PreviousHash: previous},
		Cause: &eventv1.CommitCause{RequestId: "r"}, Inputs: &eventv1.CommitInputs{Suspended: true}, Events: events}, zeros{})
	if err != nil {
		t.Fatal(err)
	}
	return data, hash
}

func TestSealOpenAndChain(t *testing.T) {
	secret := event.New(event.GM(), &eventv1.Note{Text: "secret"})
	open := event.New(event.Everyone(), &eventv1.Note{Text: "open"})
	d1, h1 := seal(t, 1, nil, secret, open)
	d2, _ := seal(t, 2, h1)
	o1, err := event.Open(d1)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(o1.Hash, h1) || len(o1.Events) != 2 || !proto.Equal(o1.Events[0], secret) || o1.Cause.RequestId != "r" || !o1.Inputs.Suspended {
		t.Fatalf("opened %v", o1)
	}
	o2, err := event.Open(d2)
	if err != nil {
		t.Fatal(err)
	}
	if err := event.Follows(nil, o1); err != nil {
		t.Error(err)
	}
	if err := event.Follows(o1, o2); err != nil {
		t.Error(err)
	}
	if err := event.Follows(nil, o2); !errors.Is(err, event.ErrBroken) {
		t.Errorf("a second commit passed as the first: %v", err)
	}
	if err := event.Follows(o2, o1); !errors.Is(err, event.ErrBroken) {
		t.Errorf("a wrong order passed: %v", err)
	}
}

func TestRedactedCommitStillVerifies(t *testing.T) {
	secret := event.New(event.GM(), &eventv1.Note{Text: "the troll is invisible"})
	open := event.New(event.Everyone(), &eventv1.Note{Text: "open"})
	data, hash := seal(t, 1, nil, secret, open)
	cut, err := event.Redact(data, func(part int) bool { return part == 3 })
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(cut, []byte("troll")) {
		t.Fatal("the secret is still in the bytes")
	}
	o, err := event.Open(cut)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(o.Hash, hash) || o.Withheld != 3 || o.Events[0] != nil || !proto.Equal(o.Events[1], open) {
		t.Fatalf("redacted: %v", o)
	}
}

func TestTamperedCommitIsBroken(t *testing.T) {
	data, _ := seal(t, 1, nil, event.New(event.Everyone(), &eventv1.Note{Text: "honest"}))
	forged := bytes.Replace(data, []byte("honest"), []byte("forged"), 1)
	if _, err := event.Open(forged); !errors.Is(err, event.ErrBroken) {
		t.Fatalf("got %v", err)
	}
}

func FuzzOpen(f *testing.F) {
	data, _ := seal(f, 1, nil, event.New(event.Everyone(), &eventv1.Note{Text: "x"}))
	f.Add(data)
	f.Add([]byte{})
	f.Add(data[:len(data)/2])
	f.Fuzz(func(t *testing.T, data []byte) {
		o, err := event.Open(data)
		if err != nil && !errors.Is(err, event.ErrBroken) {
			t.Fatalf("unexpected error %v", err)
		}
		if err == nil {
			state := event.NewState()
			for _, e := range o.Events {
				if e != nil {
					event.Fold(state, e)
				}
			}
		}
	})
}

func TestDifferenceNamesThePlace(t *testing.T) {
	a, b := event.NewState(), event.NewState()
	for _, s := range []*eventv1.State{a, b} {
		event.Fold(s, event.New(event.Everyone(), &eventv1.CreatureAdded{Creature: "orc", Name: "Orc", Side: "x"}))
	}
	event.Fold(a, event.New(event.Everyone(), &eventv1.HitPoints{Creature: "orc", Hp: 7, Max: 9}))
	event.Fold(b, event.New(event.Everyone(), &eventv1.HitPoints{Creature: "orc", Hp: 5, Max: 9}))
	event.Fold(b, event.New(event.Everyone(), &eventv1.CounterSet{Subject: "orc", Counter: "wounds", Value: 2}))
	got, err := event.Difference(a, b)
	if err != nil {
		t.Fatal(err)
	}
	want := []event.Change{{Path: "creatures.orc.counters", After: `{"wounds":"2"}`}, {Path: "creatures.orc.hp", Before: "7", After: "5"}}
	if len(got) != 2 || got[0] != want[0] || got[1] != want[1] {
		t.Errorf("got %+v", got)
	}
	if same, err := event.Difference(a, event.Clone(a)); err != nil || len(same) != 0 {
		t.Errorf("a state differs from its copy: %v %v", same, err)
	}
}

// Visible leaves the state as it is and follows who controls whom.
func TestVisibleFollowsControl(t *testing.T) {
	ann := &eventv1.Principal{Role: eventv1.Principal_ROLE_PLAYER, Name: "ann"}
	s := event.NewState()
	event.Fold(s, event.New(event.Everyone(), &eventv1.CreatureAdded{Creature: "a", Controllers: []string{"ann"}}))
	before := event.Clone(s)
	told := func(text string) *eventv1.Event {
		return event.New(event.Controllers("a"), &eventv1.Note{Creature: "a", Text: text})
	}
	seen := event.Visible(s, []*eventv1.Event{
		told("one"),
		event.New(event.GM(), &eventv1.ControllersSet{Creature: "a", Controllers: []string{"bob"}}),
		told("two"),
		event.New(event.GM(), &eventv1.ControllersSet{Creature: "a", Controllers: []string{"bob", "ann"}}),
		told("three"),
		event.New(event.GM(), &eventv1.CreatureRemoved{Creature: "a"}),
		told("four"),
	}, ann)
	var texts []string
	for _, e := range seen {
		texts = append(texts, e.GetNote().GetText())
	}
	if got := strings.Join(texts, " "); got != "one three" {
		t.Errorf("ann sees %q, want one and three", got)
	}
	if !proto.Equal(s, before) {
		t.Error("the state changed")
	}
}

// Dice of a secret branch are spent once the branch of their epoch, also that of setting up,
// or their own action was opened; those of everyone never are.
func TestSpent(t *testing.T) {
	opened := &eventv1.State{SecretDice: &eventv1.SecretBranches{Opened: []uint32{2},
		Leaves: []*eventv1.OpenedLeaf{{Epoch: 1, Branch: "gm", Action: 7}}}}
	for name, c := range map[string]struct {
		s      *eventv1.State
		epoch  uint32
		branch string
		action uint64
		want   bool
	}{
		"nothing secret":            {&eventv1.State{}, 2, "gm", 7, false},
		"the branch of the epoch":   {opened, 2, "gm", 9, true},
		"its setting up":            {opened, 2 | 1<<31, "gm", 9, true},
		"dice of everyone":          {opened, 2, "everyone", 9, false},
		"the action":                {opened, 1, "gm", 7, true},
		"another action":            {opened, 1, "gm", 8, false},
		"the action, of a creature": {opened, 1, "creature/orc", 7, false},
		"the action, an epoch on":   {opened, 3, "gm", 7, false},
	} {
		if got := event.Spent(c.s, c.epoch, c.branch, c.action); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
