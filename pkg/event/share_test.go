package event

import (
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// filled sets every field of a message, to the depth given.
func filled(m protoreflect.Message, depth int) protoreflect.Message {
	fields := m.Descriptor().Fields()
	for i := range fields.Len() {
		fd := fields.Get(i)
		switch {
		case fd.ContainingOneof() != nil && !fd.HasOptionalKeyword():
		case fd.IsMap():
			v := m.NewField(fd).Map().NewValue()
			if fd.MapValue().Message() == nil {
				v = one(fd.MapValue())
			} else if depth > 0 {
				filled(v.Message(), depth-1)
			}
			m.Mutable(fd).Map().Set(one(fd.MapKey()).MapKey(), v)
		case fd.IsList():
			if fd.Message() == nil {
				m.Mutable(fd).List().Append(one(fd))
			} else if e := m.Mutable(fd).List().AppendMutable(); depth > 0 {
				filled(e.Message(), depth-1)
			}
		case fd.Message() != nil:
			if e := m.Mutable(fd).Message(); depth > 0 {
				filled(e, depth-1)
			}
		default:
			m.Set(fd, one(fd))
		}
	}
	return m
}

// one is a value of a field's kind that is not its zero.
func one(fd protoreflect.FieldDescriptor) protoreflect.Value {
	switch fd.Kind() {
	case protoreflect.StringKind:
		return protoreflect.ValueOfString("x")
	case protoreflect.BytesKind:
		return protoreflect.ValueOfBytes([]byte("x"))
	case protoreflect.BoolKind:
		return protoreflect.ValueOfBool(true)
	case protoreflect.EnumKind:
		return protoreflect.ValueOfEnum(1)
	case protoreflect.Int32Kind, protoreflect.Sint32Kind:
		return protoreflect.ValueOfInt32(1)
	case protoreflect.Int64Kind, protoreflect.Sint64Kind:
		return protoreflect.ValueOfInt64(1)
	case protoreflect.Uint32Kind:
		return protoreflect.ValueOfUint32(1)
	}
	return protoreflect.ValueOfUint64(1)
}

// A copy that forgets a field plays another fight: none may.
func TestCopiesHaveEveryField(t *testing.T) {
	s := &eventv1.State{}
	filled(s.ProtoReflect(), 2)
	if got := Clone(s); !proto.Equal(got, s) {
		t.Errorf("a clone is %v, want %v", got, s)
	}
	if got := Share(s).State; !proto.Equal(got, s) {
		t.Errorf("shared is %v, want %v", got, s)
	}
}
