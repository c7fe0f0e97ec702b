package event

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"pgregory.net/rapid"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// byMessages reads a stored Commit by the messages that its contract names, which is
// the plain way and takes three times as long.
func byMessages(data []byte) (*Opened, error) {
	var c eventv1.Commit
	if err := proto.Unmarshal(data, &c); err != nil {
		return nil, err
	}
	o := &Opened{Header: &eventv1.CommitHeader{}, Hash: HeaderHash(c.Header)}
	if err := proto.Unmarshal(c.Header, o.Header); err != nil {
		return nil, err
	}
	if o.Header.Format == 0 || o.Header.Format > Format || len(c.Parts) != len(o.Header.Digests) || len(c.Parts) < 2 {
		return nil, errors.New("not a commit of this format")
	}
	for i, p := range c.Parts {
		var into proto.Message
		switch {
		case len(p.Salt) == 0:
			o.Withheld++
			if i >= 2 {
				o.Events, o.Raw = append(o.Events, nil), append(o.Raw, nil)
			}
			continue
		case len(p.Salt) != saltSize || !bytes.Equal((part{p.Salt, p.Payload}).digest(sha256.New(), nil), o.Header.Digests[i]):
			return nil, fmt.Errorf("digest of part %d", i)
		case i == 0:
			o.Cause = &eventv1.CommitCause{}
			into = o.Cause
		case i == 1:
			o.Inputs = &eventv1.CommitInputs{}
			into = o.Inputs
		default:
			e := &eventv1.Event{}
			o.Events, o.Raw = append(o.Events, e), append(o.Raw, p.Payload)
			into = e
		}
		if err := proto.Unmarshal(p.Payload, into); err != nil {
			return nil, err
		}
	}
	return o, nil
}

// repeating is a source of salts that are known.
type repeating struct{}

func (repeating) Read(p []byte) (int, error) {
	return copy(p, strings.Repeat("salt of a test, ", len(p)/16+1)), nil
}

func drawSealed(t *rapid.T) []byte {
	d := Draft{Header: &eventv1.CommitHeader{Kind: "encounter", Id: "e", Table: "t", Version: rapid.Uint64().Draw(t, "version"), System: rapid.String().Draw(t, "system")},
		Cause: &eventv1.CommitCause{RequestId: rapid.StringN(0, 200, -1).Draw(t, "request")}, Inputs: &eventv1.CommitInputs{Suspended: rapid.Bool().Draw(t, "suspended")}}
	for range rapid.IntRange(0, 4).Draw(t, "events") {
		d.Events = append(d.Events, New(GM(), &eventv1.Note{Text: rapid.StringN(0, 300, -1).Draw(t, "text")}), &eventv1.Event{})
	}
	data, _, err := Seal(d, repeating{})
	if err != nil {
		t.Fatal(err)
	}
	var c eventv1.Commit
	if err := proto.Unmarshal(data, &c); err != nil {
		t.Fatal(err)
	}
	if plain, err := proto.Marshal(&c); err != nil || !bytes.Equal(plain, data) {
		t.Fatalf("sealed %x, the contract says %x, %v", data, plain, err)
	}
	return data
}

// spoil makes something else of a Commit, that may still be one.
func spoil(t *rapid.T, data []byte) []byte {
	at := rapid.IntRange(0, len(data)-1).Draw(t, "at")
	switch rapid.IntRange(0, 7).Draw(t, "how") {
	case 0:
		data[at] ^= 1 << rapid.IntRange(0, 7).Draw(t, "bit")
	case 1:
		return data[:at]
	case 2: // fields that nobody knows, of any kind
		typ := protowire.Type(rapid.IntRange(0, 5).Draw(t, "type")) //nolint:gosec // small
		data = protowire.AppendTag(data, protowire.Number(rapid.IntRange(1, 20).Draw(t, "number")), typ)
		return append(data, rapid.SliceOfN(rapid.Byte(), 0, 12).Draw(t, "value")...)
	case 3: // a header that comes again
		return appendBytes(data, commitHeader, rapid.SliceOfN(rapid.Byte(), 0, 5).Draw(t, "header"))
	case 4:
		cut, err := Redact(data, func(i int) bool { return i != at%4 })
		if err != nil {
			t.Fatal(err)
		}
		return cut
	case 5: // one part more
		return part{salt: make([]byte, rapid.IntRange(0, 17).Draw(t, "salt"))}.append(data)
	case 6:
		return append(slices.Clone(data), data...)
	}
	return data
}

// What is opened is what the contract says, of whatever bytes.
func TestOpenReadsWhatTheContractSays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		data := drawSealed(t)
		for range rapid.IntRange(0, 2).Draw(t, "spoiled") {
			if len(data) > 0 {
				data = spoil(t, data)
			}
		}
		before := bytes.Clone(data)
		want, wrong := byMessages(data)
		got, err := Open(data)
		if (err == nil) != (wrong == nil) || err != nil && !errors.Is(err, ErrBroken) {
			t.Fatalf("opened with %v, by its messages with %v: %x", err, wrong, data)
		}
		skimmed, skimErr := Skim(data)
		if err == nil && skimErr != nil || skimErr != nil && !errors.Is(skimErr, ErrBroken) {
			t.Fatalf("opened, and skimmed with %v", skimErr)
		}
		if !bytes.Equal(data, before) {
			t.Fatal("the bytes were changed")
		}
		if err != nil {
			return
		}
		same(t, got, want)
		if skimmed.Cause != nil || skimmed.Inputs != nil || skimmed.Events != nil {
			t.Fatalf("more was read than asked for: %v", skimmed)
		}
		skimmed.Cause, skimmed.Inputs, skimmed.Events = want.Cause, want.Inputs, want.Events
		same(t, skimmed, want)
		clear(data) // nobody keeps them
		same(t, got, want)
	})
}

func same(t *rapid.T, got, want *Opened) {
	t.Helper()
	if !proto.Equal(got.Header, want.Header) || !proto.Equal(got.Cause, want.Cause) || !proto.Equal(got.Inputs, want.Inputs) ||
		(got.Cause == nil) != (want.Cause == nil) || (got.Inputs == nil) != (want.Inputs == nil) ||
		!bytes.Equal(got.Hash, want.Hash) || got.Withheld != want.Withheld || len(got.Events) != len(want.Events) || len(got.Raw) != len(want.Raw) {
		t.Fatalf("got %v, want %v", got, want)
	}
	for i := range want.Events {
		if (got.Events[i] == nil) != (want.Events[i] == nil) || !proto.Equal(got.Events[i], want.Events[i]) || !bytes.Equal(got.Raw[i], want.Raw[i]) {
			t.Fatalf("event %d: got %v, want %v", i, got.Events[i], want.Events[i])
		}
	}
}

// What an event, as stored, has is found without reading it; what can not be read may
// have anything.
func TestHas(t *testing.T) {
	e := (&eventv1.Event{}).ProtoReflect().Descriptor().Fields()
	note, harm := e.ByName("note").Number(), e.ByName("damage").Number()
	raw, err := proto.Marshal(New(Controllers("a", "b"), &eventv1.Note{Text: "note"}))
	if err != nil {
		t.Fatal(err)
	}
	both, err := proto.Marshal(New(GM(), &eventv1.Damage{Target: "a"}))
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		raw  []byte
		of   protoreflect.FieldNumber
		want bool
	}{
		"it has":             {raw, note, true},
		"it has not":         {raw, harm, false},
		"said twice, first":  {slices.Concat(raw, both), note, true},
		"said twice, second": {slices.Concat(raw, both), harm, true},
		"cut":                {raw[:len(raw)-1], harm, true},
		"no event":           {[]byte{0xff}, harm, true},
		"a group's end":      {[]byte{0x0c}, harm, true},
		"nothing":            {nil, harm, false},
	} {
		if got := Has(c.raw, map[protoreflect.FieldNumber]bool{c.of: true}); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// BenchmarkOpen is one Commit of an attack's size, beside its messages.
func BenchmarkOpen(b *testing.B) {
	d := Draft{Header: &eventv1.CommitHeader{Kind: "encounter", Id: "e", Table: "main", Version: 5, PreviousHash: make([]byte, 32), System: "toy"},
		Cause: &eventv1.CommitCause{RequestId: "r", Command: make([]byte, 40), Action: 4}, Inputs: &eventv1.CommitInputs{Inputs: []*eventv1.Input{{Label: "attack"}, {Label: "damage"}}}}
	for range 8 {
		d.Events = append(d.Events, New(Everyone(), &eventv1.HitPoints{Creature: "a", Hp: 4, Max: 5}))
	}
	data, _, err := Seal(d, repeating{})
	if err != nil {
		b.Fatal(err)
	}
	for _, way := range []struct {
		name string
		open func([]byte) (*Opened, error)
	}{{"messages", byMessages}, {"open", Open}, {"skim", Skim}} {
		b.Run(way.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := way.open(data); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("seal", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, _, err := Seal(d, repeating{}); err != nil {
				b.Fatal(err)
			}
		}
	})
}
