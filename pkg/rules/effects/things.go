package effects

import (
	"fmt"
	"strings"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	"github.com/skaldrpg/skald/pkg/limits"
	contentv1 "github.com/skaldrpg/skald/proto/skald/content/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// things compiles the entries of one sort.
func (k *compiler) things(s Slot, p *contentv1.Pack, own bool) []*thing {
	entries := Entries(p, s)
	if len(entries) > limits.PackEntries {
		k.wrong(s.String(), "%d entries; at most %d", len(entries), limits.PackEntries)
		return nil
	}
	seen := map[string]bool{}
	out := make([]*thing, 0, len(entries))
	for i, e := range entries {
		field := fmt.Sprintf("%s[%d]", s, i)
		k.identity(field, e.Id, seen)
		t := &thing{slot: s, pack: p.Name, entry: e, cite: Cite{Title: titleOf(e)}}
		if !own {
			t.cite.Rule = houseID(p.Name, e.Id)
		}
		t.data = k.data(field, s, e, entries[:i], out)
		t.effects = k.list(field+".effects", e.Effects, scope{cite: t.cite, slot: s})
		k.particular(field, s, e)
		out = append(out, t)
	}
	return out
}

func titleOf(e *contentv1.Entry) string {
	if e.Title != "" {
		return e.Title
	}
	return strings.ReplaceAll(e.Id, "-", " ")
}

// particular checks what only some sorts have.
func (k *compiler) particular(field string, s Slot, e *contentv1.Entry) {
	if e.Area != nil {
		switch {
		case s != Spells:
			k.wrong(field+".area", "only spells have an area")
		case !k.base.Support.Areas:
			k.wrong(field+".area", "the system %s does not carry out areas", k.base.System)
		default:
			k.unknown(field+".area.shape", "shape", e.Area.Shape, []string{"sphere", "cube", "cone", "line", "cylinder"})
			if e.Area.Feet < 1 || e.Area.Feet > limits.CoordinateFeet {
				k.wrong(field+".area.feet", "must be 1 to %d", limits.CoordinateFeet)
			}
			if e.Area.WidthFeet < 0 || e.Area.WidthFeet > limits.CoordinateFeet {
				k.wrong(field+".area.width_feet", "must be 0 to %d", limits.CoordinateFeet)
			}
		}
	}
	if len(e.Implies) > 0 && s != Conditions {
		k.wrong(field+".implies", "only conditions imply others")
	}
	for i, w := range e.Implies {
		at := fmt.Sprintf("%s.implies[%d]", field, i)
		k.unknown(at, "condition", w, k.conds)
		if w == e.Id {
			k.wrong(at, "a condition cannot imply itself")
		}
	}
	if len(e.Effects) == 0 && e.Data == nil && e.Like == "" && s != Conditions && s != Injuries {
		k.wrong(field, "it has neither data nor effects")
	}
}

// data reads the fields of an entry as the system's own message: over those of
// the entry that it is like.
func (k *compiler) data(field string, s Slot, e *contentv1.Entry, before []*contentv1.Entry, done []*thing) proto.Message {
	kind, err := k.message(s, e)
	if e.Data == nil && e.Like == "" {
		return nil
	}
	if err != "" {
		k.wrong(field+".data", "%s", err)
		return nil
	}
	var under proto.Message
	if e.Like != "" {
		var found bool
		if under, found = k.like(field, s, e, before, done); !found {
			return nil
		}
		if under != nil {
			kind = under.ProtoReflect()
		}
	}
	if e.Data == nil {
		return under
	}
	text, jsonErr := protojson.Marshal(e.Data)
	if jsonErr != nil {
		k.wrong(field+".data", "%s", jsonErr)
		return nil
	}
	over := kind.New().Interface()
	if err := protojson.Unmarshal(text, over); err != nil {
		k.wrong(field+".data", "%s", plainError(err))
		return nil
	}
	if under != nil {
		over = Over(under, over)
	}
	return over
}

// plainError is the message of protojson without its prefix, which varies on
// purpose.
func plainError(err error) string {
	text := strings.ReplaceAll(err.Error(), "\u00a0", " ")
	text = strings.TrimSpace(strings.TrimPrefix(text, "proto:"))
	if rest, ok := strings.CutPrefix(text, "(line "); ok {
		if _, after, found := strings.Cut(rest, "): "); found {
			return after
		}
	}
	return text
}

// like is the data of the entry that one is like, nil where that has none, and whether
// there is that entry.
func (k *compiler) like(field string, s Slot, e *contentv1.Entry, before []*contentv1.Entry, done []*thing) (under proto.Message, found bool) {
	known := sortedKeys(k.book.things[s])
	for i, b := range before {
		if b.Id == e.Like {
			return done[i].data, true
		}
		known = append(known, b.Id)
	}
	if t := k.book.things[s][e.Like]; t != nil {
		return t.data, true
	}
	k.problems = append(k.problems, Problem{Field: field + ".like",
		Text: fmt.Sprintf("there is nothing %q among the %s before it", e.Like, s), Got: e.Like, Known: known})
	return nil, false
}

// DataOf is the system's message for the data of things of a sort, with those
// fields: where a system has several, as for potions and other things, the first
// that has them all is meant. It is nil when the system has none.
func DataOf(system string, s Slot, fields []string) protoreflect.MessageDescriptor {
	sec := sectionOf(system)
	if sec == nil {
		return nil
	}
	if s == Armour {
		return sec.Descriptor()
	}
	var first protoreflect.MessageDescriptor
	for _, p := range planOf(sec.Descriptor()) {
		if p.slot != s {
			continue
		}
		m := p.list.Message()
		if fits(m, fields) {
			return m
		}
		if first == nil {
			first = m
		}
	}
	return first
}

func fits(m protoreflect.MessageDescriptor, fields []string) bool {
	for _, name := range fields {
		if m.Fields().ByName(protoreflect.Name(name)) == nil && m.Fields().ByJSONName(name) == nil {
			return false
		}
	}
	return true
}

// message is an empty message for the data of an entry.
func (k *compiler) message(s Slot, e *contentv1.Entry) (protoreflect.Message, string) {
	if s == Feats || s == Conditions || s == Injuries {
		return nil, fmt.Sprintf("%s have no data, only effects", s)
	}
	md := DataOf(k.base.System, s, sortedKeys(e.GetData().GetFields()))
	if md == nil {
		return nil, fmt.Sprintf("the system %q has no %s", k.base.System, s)
	}
	t, err := protoregistry.GlobalTypes.FindMessageByName(md.FullName())
	if err != nil {
		return nil, err.Error()
	}
	return t.New(), ""
}

// sectionOf is an empty section of the sheets of a system; nil when there is
// none.
func sectionOf(system string) protoreflect.Message {
	m := (&eventv1.Sheet{}).ProtoReflect()
	f := m.Descriptor().Fields().ByName(protoreflect.Name(system))
	if f == nil || f.ContainingOneof() == nil || f.ContainingOneof().Name() != "section" {
		return nil
	}
	return m.NewField(f).Message()
}

// Over is a copy of under with every field that over has in place of its own:
// lists and messages as a whole.
func Over(under, over proto.Message) proto.Message {
	out := proto.Clone(under)
	to := out.ProtoReflect()
	over.ProtoReflect().Range(func(f protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		to.Set(f, v)
		return true
	})
	return out
}

// monsters checks the creatures of a pack: that they are named and of the
// system. What they refer to is resolved when they are used.
func (k *compiler) monsters(p *contentv1.Pack) {
	if n := len(p.GetMonsters()); n > limits.PackEntries {
		k.wrong("monsters", "%d creatures; at most %d", n, limits.PackEntries)
		return
	}
	seen := map[string]bool{}
	for i, m := range p.GetMonsters() {
		field := fmt.Sprintf("monsters[%d]", i)
		k.identity(field, m.GetId(), seen)
		sec := section(m)
		if sec == nil {
			k.wrong(field, "it has no section %s", k.base.System)
			continue
		}
		if want := sectionOf(k.base.System); want != nil && sec.Descriptor().FullName() != want.Descriptor().FullName() {
			k.wrong(field, "its section is not that of the system %s", k.base.System)
		}
	}
}

// conditions are those that content may name; nil means any.
func (k *compiler) conditions() []string { return k.conds }
