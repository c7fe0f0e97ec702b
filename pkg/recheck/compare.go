package recheck

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

// Place is the first field in which what is on record differs from what was decided.
type Place struct {
	// Field is the path of it, such as "hit_points.hp".
	Field string
	// Recorded and Decided are the two sides, shortened.
	Recorded, Decided string
}

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

// Comparer finds differences.
type Comparer struct {
	// Old: the record is of a build before that one which names its content: events may
	// lack what was not written then.
	Old bool
	// AnyID: ids of decisions and contests, which follow from the first Commit, are passed over.
	AnyID bool
}

// keyedIDs are the fields that it passes over then.
var keyedIDs = map[protoreflect.FullName]bool{"skald.event.v1.Decision.id": true, "skald.event.v1.DecisionAnswered.id": true, "skald.event.v1.Contest.id": true}

// Compare finds the first difference; nil when there is none.
func (c Comparer) Compare(recorded, decided proto.Message) *Place {
	if proto.Equal(recorded, decided) {
		return nil
	}
	return c.messages("", recorded.ProtoReflect(), decided.ProtoReflect())
}

func (c Comparer) messages(path string, a, b protoreflect.Message) *Place {
	if a.IsValid() != b.IsValid() {
		return &Place{path, Short(a.Interface()), Short(b.Interface())}
	}
	if ev, ok := a.Interface().(*eventv1.Event); ok && c.Old && rules.SameEvent(ev, b.Interface().(*eventv1.Event)) {
		return nil
	}
	fields := a.Descriptor().Fields()
	for i := range fields.Len() {
		if p := c.field(join(path, string(fields.Get(i).Name())), fields.Get(i), a, b); p != nil {
			return p
		}
	}
	if len(a.GetUnknown()) != len(b.GetUnknown()) {
		return &Place{join(path, "?"), fmt.Sprintf("%d bytes of fields that this build does not know", len(a.GetUnknown())), ""}
	}
	return nil
}

func (c Comparer) field(path string, fd protoreflect.FieldDescriptor, a, b protoreflect.Message) *Place {
	if c.AnyID && keyedIDs[fd.FullName()] {
		return nil
	}
	if a.Has(fd) != b.Has(fd) {
		return &Place{path, text(fd, a), text(fd, b)}
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

func (c Comparer) values(path string, fd protoreflect.FieldDescriptor, x, y protoreflect.Value) *Place {
	if fd.Message() != nil {
		return c.messages(path, x.Message(), y.Message())
	}
	if x.Equal(y) {
		return nil
	}
	if empty := inside[fd.FullName()]; empty != nil {
		m, n := empty(), empty()
		if proto.Unmarshal(x.Bytes(), m) == nil && proto.Unmarshal(y.Bytes(), n) == nil {
			if p := c.messages(path, m.ProtoReflect(), n.ProtoReflect()); p != nil || Size(m) == len(x.Bytes()) {
				return p
			}
		}
	}
	return &Place{path, Clip(x.String()), Clip(y.String())}
}

func (c Comparer) lists(path string, fd protoreflect.FieldDescriptor, x, y protoreflect.List) *Place {
	for i := range min(x.Len(), y.Len()) {
		if p := c.values(path+"["+strconv.Itoa(i)+"]", fd, x.Get(i), y.Get(i)); p != nil {
			return p
		}
	}
	if x.Len() != y.Len() {
		return &Place{path + "[" + strconv.Itoa(min(x.Len(), y.Len())) + "]", fmt.Sprintf("%d entries", x.Len()), fmt.Sprintf("%d entries", y.Len())}
	}
	return nil
}

func (c Comparer) maps(path string, fd protoreflect.FieldDescriptor, x, y protoreflect.Map) (found *Place) {
	least := func(p *Place) {
		if p != nil && (found == nil || p.Field < found.Field) {
			found = p
		}
	}
	// order-free: the least of the places
	x.Range(func(k protoreflect.MapKey, v protoreflect.Value) bool {
		at := join(path, k.String())
		if !y.Has(k) {
			least(&Place{at, Clip(v.String()), ""})
		} else {
			least(c.values(at, fd.MapValue(), v, y.Get(k)))
		}
		return true
	})
	// order-free: the least of the places
	y.Range(func(k protoreflect.MapKey, v protoreflect.Value) bool {
		if !x.Has(k) {
			least(&Place{join(path, k.String()), "", Clip(v.String())})
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
		return Short(m.Get(fd).Message().Interface())
	}
	if fd.IsList() {
		return fmt.Sprintf("%d entries", m.Get(fd).List().Len())
	}
	return Clip(m.Get(fd).String())
}

// Short is a message on one line, shortened.
func Short(m proto.Message) string { return Clip(prototext.MarshalOptions{}.Format(m)) }

// Clip shortens a value for a report.
func Clip(s string) string {
	if len(s) > maxValue {
		return s[:maxValue] + "..."
	}
	return s
}

// Size is how long a message is when it is written.
func Size(m proto.Message) int { return proto.Size(m) }
