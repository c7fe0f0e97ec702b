package render

import (
	"strings"
	"testing"
	"unicode"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"pgregory.net/rapid"

	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
)

// hostile is a text as nobody may give one today, and old data may hold.
var hostile = rapid.Custom(func(t *rapid.T) string {
	part := rapid.SampledFrom([]string{"a", "Grak", "\n", "\n#9\n", "\r", "\x1b[2J", "\u009b31m", "\u202e", "\u2066", "\u200b", "\u2028", "\x00", "\xff", "-", " ", "\u061c"})
	return strings.Join(rapid.SliceOfN(part, 0, 4).Draw(t, "text"), "")
})

// stuff puts something into every field of a message: texts by text, numbers one,
// lists and maps one entry each; of a oneof the member that pick picks.
func stuff(m protoreflect.Message, depth int, text func() string, pick func(n int) int) {
	fields := m.Descriptor().Fields()
	for i := range fields.Len() {
		fd := fields.Get(i)
		if o := fd.ContainingOneof(); o != nil && !o.IsSynthetic() && (i != o.Fields().Get(0).Index() || depth == 0) {
			continue
		}
		if o := fd.ContainingOneof(); o != nil && !o.IsSynthetic() {
			fd = o.Fields().Get(pick(o.Fields().Len()))
		}
		message := fd.Kind() == protoreflect.MessageKind
		switch {
		case fd.IsMap():
			v := m.NewField(fd).Map()
			key := protoreflect.ValueOfString(text()).MapKey()
			if fd.MapKey().Kind() != protoreflect.StringKind {
				continue
			}
			if fd.MapValue().Kind() == protoreflect.MessageKind {
				if depth > 0 {
					inner := v.NewValue()
					stuff(inner.Message(), depth-1, text, pick)
					v.Set(key, inner)
				}
			} else {
				v.Set(key, scalar(fd.MapValue(), text))
			}
			m.Set(fd, protoreflect.ValueOfMap(v))
		case fd.IsList() && message:
			if depth > 0 {
				stuff(m.Mutable(fd).List().AppendMutable().Message(), depth-1, text, pick)
			}
		case fd.IsList():
			m.Mutable(fd).List().Append(scalar(fd, text))
		case message:
			if depth > 0 {
				stuff(m.Mutable(fd).Message(), depth-1, text, pick)
			}
		default:
			m.Set(fd, scalar(fd, text))
		}
	}
}

func scalar(fd protoreflect.FieldDescriptor, text func() string) protoreflect.Value {
	switch fd.Kind() {
	case protoreflect.StringKind:
		return protoreflect.ValueOfString(text())
	case protoreflect.BytesKind:
		return protoreflect.ValueOfBytes([]byte(text()))
	case protoreflect.BoolKind:
		return protoreflect.ValueOfBool(true)
	case protoreflect.EnumKind:
		return protoreflect.ValueOfEnum(1)
	case protoreflect.DoubleKind:
		return protoreflect.ValueOfFloat64(1)
	case protoreflect.Int32Kind, protoreflect.Sint32Kind, protoreflect.Sfixed32Kind:
		return protoreflect.ValueOfInt32(1)
	case protoreflect.Uint32Kind, protoreflect.Fixed32Kind:
		return protoreflect.ValueOfUint32(1)
	case protoreflect.Uint64Kind, protoreflect.Fixed64Kind:
		return protoreflect.ValueOfUint64(1)
	}
	return protoreflect.ValueOfInt64(1)
}

// TestNothingSpeaksToTheTerminal: whatever the texts of a message are, what is
// printed of it has no control and no bidi character but the renderer's own line
// ends, and has as many lines as with the texts escaped beforehand: no text
// makes a line of its own.
func TestNothingSpeaksToTheTerminal(t *testing.T) {
	// Each renders a message that was filled; the same message, escaped by safe,
	// must come out the same.
	type rendering struct {
		message proto.Message
		render  func(m proto.Message, st Style) string
	}
	var all []rendering
	event := &eventv1.Event{}
	what := event.ProtoReflect().Descriptor().Oneofs().ByName("what").Fields()
	for range what.Len() {
		all = append(all, rendering{&eventv1.Event{}, func(m proto.Message, st Style) string {
			return st.Events([]*eventv1.Event{m.(*eventv1.Event)}) + st.Words(m.(*eventv1.Event)) + st.Event(m.(*eventv1.Event))
		}})
	}
	all = append(all,
		rendering{&eventv1.Roll{}, func(m proto.Message, st Style) string { return st.Roll(m.(*eventv1.Roll)) }},
		rendering{&eventv1.Decision{}, func(m proto.Message, st Style) string {
			return st.Decisions([]*eventv1.Decision{m.(*eventv1.Decision)})
		}},
		rendering{&eventv1.Answer{}, func(m proto.Message, _ Style) string { return Answer(m.(*eventv1.Answer)) }},
		rendering{&eventv1.Option{}, func(m proto.Message, st Style) string { return st.Options([]*eventv1.Option{m.(*eventv1.Option)}) }},
		rendering{&eventv1.State{}, func(m proto.Message, _ Style) string { return State(m.(*eventv1.State)) }},
		rendering{&injuryv1.Patient{}, func(m proto.Message, _ Style) string { return Patient(m.(*injuryv1.Patient)) }},
		rendering{&injuryv1.TendResponse{}, func(m proto.Message, _ Style) string { return TendPreview(m.(*injuryv1.TendResponse)) }},
		rendering{&encounterv1.Step{}, func(m proto.Message, st Style) string { return st.Step(m.(*encounterv1.Step)) }},
		rendering{&encounterv1.ExplainResponse{}, func(m proto.Message, _ Style) string { return Explain(m.(*encounterv1.ExplainResponse)) }},
		rendering{&injuryv1.ExplainDeedResponse{}, func(m proto.Message, _ Style) string { return ExplainDeed(m.(*injuryv1.ExplainDeedResponse), false) }},
		rendering{&encounterv1.PreviewRulingResponse{}, func(m proto.Message, _ Style) string { return Preview(m.(*encounterv1.PreviewRulingResponse)) }},
		rendering{&dicev1.Result{}, func(m proto.Message, _ Style) string { return Result(m.(*dicev1.Result)) }},
		rendering{&dicev1.OddsResponse{}, func(m proto.Message, _ Style) string { return Odds(m.(*dicev1.OddsResponse), nil) }},
	)
	rapid.Check(t, func(t *rapid.T) {
		for i, r := range all {
			m := proto.Clone(r.message)
			text := func() string { return hostile.Draw(t, "text") }
			stuff(m.ProtoReflect(), 4, text, func(n int) int { return i % n })
			st := Style{Names: map[string]string{text(): text()}, Rules: true, Bookkeeping: true, Labels: true}
			out := r.render(m, st)
			for _, c := range out {
				if c != '\n' && (unicode.IsControl(c) || unicode.Is(unicode.Bidi_Control, c) || c == '\u200b' || c == '\u2028') {
					t.Fatalf("%s: %q has %U", m.ProtoReflect().Descriptor().Name(), out, c)
				}
			}
			if again := r.render(safe(m), st); again != out {
				t.Fatalf("%s: a text had a say:\n%q\nescaped beforehand:\n%q", m.ProtoReflect().Descriptor().Name(), out, again)
			}
			if strings.Contains(out, "\n#9") {
				t.Fatalf("%s: a forged line: %q", m.ProtoReflect().Descriptor().Name(), out)
			}
		}
	})
}

// TestSafeLeavesTheMessageAlone: what is rendered stays what it was.
func TestSafeLeavesTheMessageAlone(t *testing.T) {
	e := &eventv1.Event{What: &eventv1.Event_CreatureAdded{CreatureAdded: &eventv1.CreatureAdded{Creature: "orc", Name: "a\nb"}}}
	before := proto.CloneOf(e)
	if got := (Style{}).Event(e); !strings.Contains(got, "id orc") || strings.Contains(got, "\n") {
		t.Errorf("%q", got)
	}
	if !proto.Equal(e, before) {
		t.Errorf("changed to %v", e)
	}
	var st Style
	st.Learn([]*eventv1.Event{e})
	if got := st.Names["orc"]; got != `a\nb` {
		t.Errorf("learned %q", got)
	}
	plain := &eventv1.Event{What: &eventv1.Event_Note{}}
	if safe(plain) != plain {
		t.Error("copied without need")
	}
}
