package proof

import (
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/skaldrpg/skald/pkg/event"
	fights "github.com/skaldrpg/skald/pkg/recorded"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/systems"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// golden are fights of a system in the newest set that has it: decided by the rules of this build.
func golden(t *testing.T, system string) []fights.Fight {
	t.Helper()
	all, err := fights.Latest(system)
	if err != nil {
		t.Fatal(err)
	}
	o, err := event.Open(all[0].Commits[0])
	if err != nil {
		t.Fatal(err)
	}
	if is := here(t, systems.Registry(), system); o.Header.SystemVersion != is {
		t.Fatalf("%s is at version %s, and its newest recorded fights are of %s: record a set of this version (see CONTRIBUTING.md)", system, is, o.Header.SystemVersion)
	}
	return all
}

// forger holds an encounter's Commits opened, and seals them again.
type forger struct {
	t       *testing.T
	commits []*eventv1.Commit
	headers []*eventv1.CommitHeader
	parts   [][]proto.Message
}

func open(t *testing.T, stored [][]byte) *forger {
	t.Helper()
	f := &forger{t: t}
	for _, data := range stored {
		c, h := &eventv1.Commit{}, &eventv1.CommitHeader{}
		f.must(proto.Unmarshal(data, c))
		f.must(proto.Unmarshal(c.Header, h))
		var parts []proto.Message
		for i, p := range c.Parts {
			var m proto.Message = &eventv1.Event{}
			switch i {
			case 0:
				m = &eventv1.CommitCause{}
			case 1:
				m = &eventv1.CommitInputs{}
			}
			f.must(proto.Unmarshal(p.Payload, m))
			parts = append(parts, m)
		}
		f.commits, f.headers, f.parts = append(f.commits, c), append(f.headers, h), append(f.parts, parts)
	}
	return f
}

func (f *forger) must(err error) {
	f.t.Helper()
	if err != nil {
		f.t.Fatal(err)
	}
}

func (f *forger) marshal(m proto.Message) []byte {
	data, err := proto.Marshal(m)
	f.must(err)
	return data
}

// seal seals everything again from a Commit on, with the digests and hashes that an
// honest server would have given it.
func (f *forger) seal(from int) [][]byte {
	var out [][]byte
	var previous []byte
	for i, c := range f.commits {
		if i >= from {
			h := f.headers[i]
			h.Digests = nil
			if i > 0 {
				h.PreviousHash = previous
			}
			c.Parts = c.Parts[:len(f.parts[i])]
			for j, m := range f.parts[i] {
				if !same(c.Parts[j].Payload, m) {
					c.Parts[j].Payload = f.marshal(m)
				}
				sum := sha256.Sum256(slices.Concat([]byte("skald/part/v1"), c.Parts[j].Salt, c.Parts[j].Payload))
				h.Digests = append(h.Digests, sum[:])
			}
			c.Header = f.marshal(h)
		}
		sum := sha256.Sum256(slices.Concat([]byte("skald/commit/v1"), c.Header))
		previous = sum[:]
		out = append(out, f.marshal(c))
	}
	return out
}

func same(payload []byte, m proto.Message) bool {
	was := m.ProtoReflect().New().Interface()
	return proto.Unmarshal(payload, was) == nil && proto.Equal(was, m)
}

// event finds the first event that fits.
func (f *forger) event(fits func(*eventv1.Event) bool) (commit int, e *eventv1.Event) {
	f.t.Helper()
	for i, parts := range f.parts {
		for _, m := range parts[2:] {
			if e := m.(*eventv1.Event); fits(e) {
				return i, e
			}
		}
	}
	f.t.Fatal("the fight has no such event")
	return 0, nil
}

// draws are the recorded draws of a Commit, those inside harm included.
func draws(inputs []*eventv1.Input) (out []*eventv1.Input) {
	for _, in := range inputs {
		if in.GetDraw() != nil {
			out = append(out, in)
		}
		out = append(out, draws(in.GetHarm().GetInputs())...)
	}
	return out
}

// roll finds a roll of one die by the server, with its draw.
func (f *forger) roll() (int, *eventv1.Roll, *eventv1.Input) {
	f.t.Helper()
	i, e := f.event(func(e *eventv1.Event) bool {
		r := e.GetRoll()
		return r != nil && r.Branch == "everyone" && r.SuppliedFaces == 0 && r.Expression == "1d20" && r.Target != nil
	})
	r := e.GetRoll()
	for _, in := range draws(f.parts[i][1].(*eventv1.CommitInputs).Inputs) {
		if in.Label == r.Label && in.Index == r.Index && in.GetDraw().Branch == r.Branch {
			return i, r, in
		}
	}
	f.t.Fatal("the roll has no draw")
	return 0, nil, nil
}

func again(t *testing.T, registry *rules.Registry, commits [][]byte) *Report {
	t.Helper()
	p := New()
	for _, c := range commits {
		p.Add(c)
	}
	r, err := p.Again(t.Context(), registry)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// unread is a field that no message has.
var unread = protowire.AppendVarint(protowire.AppendTag(nil, 4242, protowire.VarintType), 7)

// The forgeries that a chain, digests and faces alone let pass: sealed again, each is
// found and its place named.
func TestForgeries(t *testing.T) {
	registry := systems.Registry()
	stored := golden(t, "rcr")[0].Commits
	for name, tt := range map[string]struct {
		forge func(f *forger) int
		field string
	}{
		"hit points": {func(f *forger) int {
			i, e := f.event(func(e *eventv1.Event) bool { return e.GetHitPoints() != nil && e.GetHitPoints().Hp > 1 })
			e.GetHitPoints().Hp += 7
			return i
		}, "hit_points.hp"},
		"total and outcome": {func(f *forger) int {
			i, r, _ := f.roll()
			r.Total, r.Outcome = r.Total+50, "critical"
			return i
		}, "roll."},
		"a face by hand under the server's policy": {func(f *forger) int {
			i, r, in := f.roll()
			r.Supplied, r.SuppliedFaces, in.GetDraw().Supplied = true, 1, 1
			return i
		}, "supplied"},
		"an index": {func(f *forger) int {
			i, r, in := f.roll()
			r.Index, in.Index = 7, 7
			return i
		}, "index"},
		"a label": {func(f *forger) int {
			i, r, in := f.roll()
			r.Label, in.Label = r.Label+"/again", r.Label+"/again"
			return i
		}, "label"},
		"a step left out": {func(f *forger) int {
			i, _, _ := f.roll()
			f.parts[i] = f.parts[i][:len(f.parts[i])-1]
			return i
		}, ""},
		"bytes beside the header and the parts": {func(f *forger) int { f.commits[2].ProtoReflect().SetUnknown(unread); return 2 }, ""},
		"bytes in a header":                     {func(f *forger) int { f.headers[2].ProtoReflect().SetUnknown(unread); return 2 }, ""},
		"bytes beside a salt":                   {func(f *forger) int { f.commits[2].Parts[1].ProtoReflect().SetUnknown(unread); return 2 }, ""},
		"bytes in a cause":                      {func(f *forger) int { f.parts[2][0].ProtoReflect().SetUnknown(unread); return 2 }, ""},
		"bytes in the inputs":                   {func(f *forger) int { f.parts[2][1].ProtoReflect().SetUnknown(unread); return 2 }, ""},
		"bytes in an event":                     {func(f *forger) int { f.parts[2][2].ProtoReflect().SetUnknown(unread); return 2 }, ""},
		"bytes within what happened": {func(f *forger) int {
			i, r, _ := f.roll()
			r.ProtoReflect().SetUnknown(unread)
			return i
		}, ""},
		"a draw with bytes of its own": {func(f *forger) int {
			i, _, in := f.roll()
			in.GetDraw().ProtoReflect().SetUnknown(unread)
			return i
		}, ""},
		"a cause that says its request id twice": {func(f *forger) int {
			c := f.parts[2][0].(*eventv1.CommitCause)
			one := f.marshal(&eventv1.CommitCause{RequestId: "another"})
			f.commits[2].Parts[0].Payload = append(one, f.marshal(c)...)
			return 2
		}, ""},
		"a Commit left out": {func(f *forger) int {
			i, _, _ := f.roll()
			f.commits, f.headers, f.parts = slices.Delete(f.commits, i, i+1), slices.Delete(f.headers, i, i+1), slices.Delete(f.parts, i, i+1)
			for _, h := range f.headers[i:] {
				h.Version--
			}
			return i
		}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			f := open(t, stored)
			at := tt.forge(f)
			r := again(t, registry, f.seal(at))
			if r.OK() || r.Holds() {
				t.Fatalf("it holds: %s", r)
			}
			if len(r.Places) == 0 || r.Places[0].Version != uint64(at+1) {
				t.Fatalf("version %d was forged; found: %v", at+1, r.Problems)
			}
			if !strings.Contains(r.Places[0].Field, tt.field) {
				t.Errorf("the field is %q, not %q", r.Places[0].Field, tt.field)
			}
		})
	}
	t.Run("the end cut off", func(t *testing.T) {
		f := open(t, stored)
		f.commits = f.commits[:len(f.commits)-3]
		r := again(t, registry, f.seal(len(f.commits)))
		want := fmt.Sprintf("holds, up to version %d", len(f.commits))
		if !strings.Contains(r.String(), want) || !slices.ContainsFunc(r.Unchecked, func(s string) bool { return strings.Contains(s, "a head that was kept") }) {
			t.Errorf("no record can tell that its end is missing, and this one does not say so: %s", r)
		}
	})
}

// site is a place in a message that can be forged.
type site struct {
	path  string
	forge func()
}

// holding are fields of bytes that hold a message.
var holding = map[protoreflect.FullName]func() proto.Message{
	"skald.event.v1.CommitCause.command": func() proto.Message { return &eventv1.Command{} },
	"skald.event.v1.CommitCause.ruled":   func() proto.Message { return &eventv1.TakeAction{} },
	"skald.event.v1.HarmOutcome.events":  func() proto.Message { return &eventv1.Event{} },
	"skald.event.v1.Redecided.command":   func() proto.Message { return &eventv1.Command{} },
	"skald.event.v1.Redecided.inputs":    func() proto.Message { return &eventv1.Input{} },
	"skald.event.v1.Redecided.events":    func() proto.Message { return &eventv1.Event{} },
	"skald.event.v1.Redecided.ruled":     func() proto.Message { return &eventv1.TakeAction{} },
}

// sites lists every place in a message: fields that are there, and bare ones that are
// not. done is called after a forgery, so that what holds the message follows.
func sites(path string, m protoreflect.Message, done func(), out *[]site) {
	add := func(path string, forge func()) {
		*out = append(*out, site{path, func() { forge(); done() }})
	}
	fields := m.Descriptor().Fields()
	for i := range fields.Len() {
		fd := fields.Get(i)
		at := path + "." + string(fd.Name())
		switch {
		case fd.IsMap():
			if m.Has(fd) {
				add(at, func() { m.Clear(fd) })
			}
		case fd.IsList():
			if !m.Has(fd) {
				continue
			}
			l := m.Mutable(fd).List()
			add(at, func() { l.Truncate(l.Len() - 1) })
			for i := range l.Len() {
				within(fmt.Sprintf("%s[%d]", at, i), fd, l.Get(i), func(v protoreflect.Value) { l.Set(i, v) }, done, add, out)
			}
		case m.Has(fd):
			add(at, func() { m.Clear(fd) })
			within(at, fd, m.Get(fd), func(v protoreflect.Value) { m.Set(fd, v) }, done, add, out)
		case fd.Message() == nil && fd.ContainingOneof() == nil:
			add(at, func() { m.Set(fd, other(fd, m.Get(fd))) })
		}
	}
}

func within(at string, fd protoreflect.FieldDescriptor, v protoreflect.Value, set func(protoreflect.Value), done func(), add func(string, func()), out *[]site) {
	if fd.Message() != nil {
		sites(at, v.Message(), done, out)
		return
	}
	if empty := holding[fd.FullName()]; empty != nil {
		inner := empty()
		if proto.Unmarshal(v.Bytes(), inner) == nil {
			sites(at, inner.ProtoReflect(), func() {
				data, _ := proto.Marshal(inner) //nolint:errcheck // it was unmarshalled
				set(protoreflect.ValueOfBytes(data))
				done()
			}, out)
		}
		return
	}
	add(at, func() { set(other(fd, v)) })
}

// other is another value of a field.
func other(fd protoreflect.FieldDescriptor, v protoreflect.Value) protoreflect.Value {
	switch fd.Kind() {
	case protoreflect.BoolKind:
		return protoreflect.ValueOfBool(!v.Bool())
	case protoreflect.EnumKind:
		return protoreflect.ValueOfEnum(protoreflect.EnumNumber((int(v.Enum()) + 1) % fd.Enum().Values().Len()))
	case protoreflect.StringKind:
		return protoreflect.ValueOfString(v.String() + "x")
	case protoreflect.BytesKind:
		return protoreflect.ValueOfBytes(append(slices.Clone(v.Bytes()), 1))
	case protoreflect.Int32Kind:
		return protoreflect.ValueOfInt32(int32(v.Int()) + 1)
	case protoreflect.Int64Kind:
		return protoreflect.ValueOfInt64(v.Int() + 1)
	case protoreflect.Uint32Kind:
		return protoreflect.ValueOfUint32(uint32(v.Uint()) + 1)
	case protoreflect.Uint64Kind:
		return protoreflect.ValueOfUint64(v.Uint() + 1)
	case protoreflect.DoubleKind:
		return protoreflect.ValueOfFloat64(v.Float() + 1)
	}
	panic("no other value of " + fd.Kind().String())
}

// forgeries is how many are made a system; SKALD_RANDOM_PLAY multiplies.
func forgeries() int {
	n := 60
	if testing.Short() {
		n = 15
	}
	if times, err := strconv.Atoi(os.Getenv("SKALD_RANDOM_PLAY")); err == nil && times > 0 {
		n *= times
	}
	return n
}

// byItself are the places that nothing follows from but the chain: they are on the
// list of what is not checked.
func byItself(path string) bool {
	of := func(field string) bool { return strings.HasPrefix(path, "cause.principal."+field) }
	return path == "header.unix_millis" || path == "cause.request_id" || of("subject") || of("token") || of("creatures") ||
		strings.HasSuffix(path, ".by_what_counts")
}

// A generator of forgeries: any field of any Commit of fights of all systems, sealed
// again with the whole later chain. Each is found in its Commit, or is on the list
// of what no record shows by itself; none holds without a word.
func TestAnyForgeryIsFound(t *testing.T) {
	registry := systems.Registry()
	for n, system := range registry.IDs() {
		t.Run(system, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(11, uint64(n)))
			all := golden(t, system)
			for range forgeries() {
				fight := all[rng.IntN(len(all))]
				if len(fight.Commits) > 40 && rng.IntN(10) > 0 {
					continue // short ones teach more for their time
				}
				forgeOne(t, rng, registry, fight)
			}
			for _, fight := range diceFights(t) {
				for range forgeries() / 6 {
					if strings.HasPrefix(fight.Name, system+"-") {
						forgeOne(t, rng, registry, fight)
					}
				}
			}
		})
	}
}

func forgeOne(t *testing.T, rng *rand.Rand, registry *rules.Registry, fight fights.Fight) {
	t.Helper()
	f := open(t, fight.Commits)
	at := rng.IntN(len(f.commits))
	part := rng.IntN(len(f.parts[at]) + 1)
	name, m := "header", proto.Message(f.headers[at])
	if part > 0 {
		name, m = []string{"cause", "inputs", "event"}[min(part-1, 2)], f.parts[at][part-1]
	}
	var all []site
	sites(name, m.ProtoReflect(), func() {}, &all)
	all = slices.DeleteFunc(all, func(s site) bool { // what sealing again puts right
		return strings.HasPrefix(s.path, "header.digests") || s.path == "header.previous_hash" && at > 0
	})
	if len(all) == 0 {
		return
	}
	s := all[rng.IntN(len(all))]
	before := proto.Clone(m)
	s.forge()
	if proto.Equal(before, m) {
		return
	}
	r := again(t, registry, f.seal(at))
	where := fmt.Sprintf("%s, version %d, %s", fight.Name, at+1, s.path)
	switch {
	case byItself(s.path):
		if !slices.ContainsFunc(r.Unchecked, func(s string) bool { return strings.Contains(s, "times, request ids") }) {
			t.Errorf("%s: not on the list of what is not checked", where)
		}
	case r.Holds():
		t.Errorf("%s: it holds\nwas %v\nis  %v", where, before, m)
	case r.OK() && len(r.Other) == 0 && !r.unknown:
		t.Errorf("%s: not found: %s", where, r)
	case len(r.Other) > 0: // said to be decided by other rules, and so not checked
	case len(r.Places) > 0 && r.Places[0].Version != uint64(at+1):
		t.Errorf("%s: found elsewhere: %v", where, r.Places[0])
	}
}

// The digest of the content cannot be compared where a build has another. That it was
// changed shows in the ids of decisions, which follow from the first Commit: the
// creation is named for it, and not the decision. An id that was changed by itself is
// found where it stands.
func TestAForgedContentIsNamedAtTheCreation(t *testing.T) {
	registry := systems.Registry()
	asked := func(e *eventv1.Event) bool { return e.GetDecisionRequested() != nil }
	tried := 0
	for _, fight := range golden(t, "rcr") {
		if _, _, e := open(t, fight.Commits).find(asked); e == nil || len(fight.Commits) > 60 {
			continue
		}
		tried++
		for name, digest := range map[string]string{"another": strings.Repeat("0", 64), "none": ""} {
			f := open(t, fight.Commits)
			i, e := f.event(func(e *eventv1.Event) bool { return e.GetEncounterCreated() != nil })
			e.GetEncounterCreated().ContentDigest = digest
			r := again(t, registry, f.seal(i))
			if len(r.Places) == 0 || r.Places[0].Version != 1 || r.Places[0].Field != "encounter_created.content_digest" {
				t.Errorf("%s, %s: %v", fight.Name, name, r.Places)
			}
		}
		f := open(t, fight.Commits)
		i, e := f.event(asked)
		e.GetDecisionRequested().Decision.Id = "0123456789abcdef"
		if r := again(t, registry, f.seal(i)); len(r.Places) == 0 || r.Places[0].Version != uint64(i+1) || !strings.Contains(r.Places[0].Field, "decision.id") { //nolint:gosec // an index
			t.Errorf("%s, an id: %v", fight.Name, r.Places)
		}
	}
	if tried == 0 {
		t.Error("no fight asks anything")
	}
}
