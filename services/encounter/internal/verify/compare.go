package verify

import (
	"fmt"
	"strconv"

	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// maxValue bounds a value in a report, in bytes.
const maxValue = 120

// place is the first field in which what is on record differs from what was decided.
type place struct{ field, recorded, decided string }

// inside are fields of bytes that hold a message: a difference is looked for in it.
var inside = map[protoreflect.FullName]func() proto.Message{
	"skald.event.v1.CommitCause.command": func() proto.Message { return &eventv1.Command{} },
	"skald.event.v1.CommitCause.ruled":   func() proto.Message { return &eventv1.TakeAction{} },
	"skald.event.v1.HarmOutcome.events":  func() proto.Message { return &eventv1.Event{} },
	"skald.event.v1.Redecided.command":   func() proto.Message { return &eventv1.Command{} },
	"skald.event.v1.Redecided.inputs":    func() proto.Message { return &eventv1.Input{} },
	"skald.event.v1.Redecided.events":    func() proto.Message { return &eventv1.Event{} },
	"skald.event.v1.Redecided.ruled":     func() proto.Message { return &eventv1.TakeAction{} },
}

// comparer finds differences. In a record of a build before that one which names its
// content, old, events may lack what was not written then. It may pass over ids of
// decisions and contests, which follow from the first Commit.
type comparer struct{ old, anyID bool }

// keyedIDs are the fields that it passes over then.
var keyedIDs = map[protoreflect.FullName]bool{"skald.event.v1.Decision.id": true, "skald.event.v1.DecisionAnswered.id": true, "skald.event.v1.Contest.id": true}

// compare finds the first difference; nil when there is none.
func (c comparer) compare(recorded, decided proto.Message) *place {
	if proto.Equal(recorded, decided) {
		return nil
	}
	return c.messages("", recorded.ProtoReflect(), decided.ProtoReflect())
}

func (c comparer) messages(path string, a, b protoreflect.Message) *place {
	if a.IsValid() != b.IsValid() {
		return &place{path, short(a.Interface()), short(b.Interface())}
	}
	if ev, ok := a.Interface().(*eventv1.Event); ok && c.old && rules.SameEvent(ev, b.Interface().(*eventv1.Event)) {
		return nil
	}
	fields := a.Descriptor().Fields()
	for i := range fields.Len() {
		if p := c.field(join(path, string(fields.Get(i).Name())), fields.Get(i), a, b); p != nil {
			return p
		}
	}
	if len(a.GetUnknown()) != len(b.GetUnknown()) {
		return &place{join(path, "?"), fmt.Sprintf("%d bytes of fields that this build does not know", len(a.GetUnknown())), ""}
	}
	return nil
}

func (c comparer) field(path string, fd protoreflect.FieldDescriptor, a, b protoreflect.Message) *place {
	if c.anyID && keyedIDs[fd.FullName()] {
		return nil
	}
	if a.Has(fd) != b.Has(fd) {
		return &place{path, text(fd, a), text(fd, b)}
	}
	if !a.Has(fd) {
		return nil
	}
	x, y := a.Get(fd), b.Get(fd)
	switch {
	case fd.IsMap():
		return c.maps(path, fd, x.Map(), y.Map())
	case fd.IsList():
		return c.lists(path, fd, x.List(), y.List())
	}
	return c.values(path, fd, x, y)
}

func (c comparer) values(path string, fd protoreflect.FieldDescriptor, x, y protoreflect.Value) *place {
	if fd.Message() != nil {
		return c.messages(path, x.Message(), y.Message())
	}
	if x.Equal(y) {
		return nil
	}
	if empty := inside[fd.FullName()]; empty != nil {
		m, n := empty(), empty()
		if proto.Unmarshal(x.Bytes(), m) == nil && proto.Unmarshal(y.Bytes(), n) == nil {
			if p := c.messages(path, m.ProtoReflect(), n.ProtoReflect()); p != nil || size(m) == len(x.Bytes()) {
				return p
			}
		}
	}
	return &place{path, clip(x.String()), clip(y.String())}
}

func (c comparer) lists(path string, fd protoreflect.FieldDescriptor, x, y protoreflect.List) *place {
	for i := range min(x.Len(), y.Len()) {
		if p := c.values(path+"["+strconv.Itoa(i)+"]", fd, x.Get(i), y.Get(i)); p != nil {
			return p
		}
	}
	if x.Len() != y.Len() {
		return &place{path + "[" + strconv.Itoa(min(x.Len(), y.Len())) + "]", fmt.Sprintf("%d entries", x.Len()), fmt.Sprintf("%d entries", y.Len())}
	}
	return nil
}

func (c comparer) maps(path string, fd protoreflect.FieldDescriptor, x, y protoreflect.Map) (found *place) {
	least := func(p *place) {
		if p != nil && (found == nil || p.field < found.field) {
			found = p
		}
	}
	// order-free: the least of the places
	x.Range(func(k protoreflect.MapKey, v protoreflect.Value) bool {
		at := join(path, k.String())
		if !y.Has(k) {
			least(&place{at, clip(v.String()), ""})
		} else {
			least(c.values(at, fd.MapValue(), v, y.Get(k)))
		}
		return true
	})
	// order-free: the least of the places
	y.Range(func(k protoreflect.MapKey, v protoreflect.Value) bool {
		if !x.Has(k) {
			least(&place{join(path, k.String()), "", clip(v.String())})
		}
		return true
	})
	return found
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// text is the value of a field for people; empty when it is not there.
func text(fd protoreflect.FieldDescriptor, m protoreflect.Message) string {
	if !m.Has(fd) {
		return ""
	}
	if fd.Message() != nil && !fd.IsMap() && !fd.IsList() {
		return short(m.Get(fd).Message().Interface())
	}
	if fd.IsList() {
		return fmt.Sprintf("%d entries", m.Get(fd).List().Len())
	}
	return clip(m.Get(fd).String())
}

func short(m proto.Message) string { return clip(prototext.MarshalOptions{}.Format(m)) }

func clip(s string) string {
	if len(s) > maxValue {
		return s[:maxValue] + "..."
	}
	return s
}
