package event

import (
	"cmp"
	"slices"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// Canonical marshals a message in the one order that docs/RECORD.md gives: fields by
// number, entries of maps by key, unknown fields last. Every build and every version
// of the protobuf library makes the same bytes of the same message, which
// proto.Marshal does not promise. Anything that reads protobuf reads them.
func Canonical(m proto.Message) []byte {
	if m == nil {
		return nil
	}
	return appendMessage(make([]byte, 0, proto.Size(m)), m.ProtoReflect())
}

type fieldValue struct {
	fd protoreflect.FieldDescriptor
	v  protoreflect.Value
}

func appendMessage(b []byte, m protoreflect.Message) []byte {
	var room [24]fieldValue
	fields := room[:0]
	m.Range(func(fd protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		fields = append(fields, fieldValue{fd, v})
		return true
	})
	slices.SortFunc(fields, func(a, b fieldValue) int { return cmp.Compare(a.fd.Number(), b.fd.Number()) })
	for _, f := range fields {
		switch {
		case f.fd.IsMap():
			b = appendMap(b, f.fd, f.v.Map())
		case f.fd.IsList():
			b = appendList(b, f.fd, f.v.List())
		case f.fd.Kind() == protoreflect.DoubleKind:
			b = appendDouble(b, m, f)
		default:
			b = appendField(b, f.fd, f.v)
		}
	}
	return append(b, m.GetUnknown()...)
}

// appendDouble appends a number with a point, as there are among the parameters and
// facts of an action: it stands alone in its field, which has one form, so that the
// library may write it.
func appendDouble(b []byte, m protoreflect.Message, f fieldValue) []byte {
	alone := m.New()
	alone.Set(f.fd, f.v)
	out, _ := proto.MarshalOptions{}.MarshalAppend(b, alone.Interface()) // a number has no text that could be wrong
	return out
}

func appendMap(b []byte, fd protoreflect.FieldDescriptor, m protoreflect.Map) []byte {
	keys := make([]protoreflect.MapKey, 0, m.Len())
	m.Range(func(k protoreflect.MapKey, _ protoreflect.Value) bool {
		keys = append(keys, k)
		return true
	})
	slices.SortFunc(keys, func(a, b protoreflect.MapKey) int {
		switch fd.MapKey().Kind() {
		case protoreflect.StringKind:
			return cmp.Compare(a.String(), b.String())
		case protoreflect.BoolKind:
			return cmp.Compare(protowire.EncodeBool(a.Bool()), protowire.EncodeBool(b.Bool()))
		case protoreflect.Uint32Kind, protoreflect.Fixed32Kind, protoreflect.Uint64Kind, protoreflect.Fixed64Kind:
			return cmp.Compare(a.Uint(), b.Uint())
		}
		return cmp.Compare(a.Int(), b.Int())
	})
	for _, k := range keys {
		entry := appendField(nil, fd.MapKey(), k.Value())
		entry = appendField(entry, fd.MapValue(), m.Get(k))
		b = protowire.AppendBytes(protowire.AppendTag(b, fd.Number(), protowire.BytesType), entry)
	}
	return b
}

func appendList(b []byte, fd protoreflect.FieldDescriptor, l protoreflect.List) []byte {
	if !fd.IsPacked() {
		for i := range l.Len() {
			b = appendField(b, fd, l.Get(i))
		}
		return b
	}
	var packed []byte
	for i := range l.Len() {
		packed, _ = appendValue(packed, fd, l.Get(i))
	}
	return protowire.AppendBytes(protowire.AppendTag(b, fd.Number(), protowire.BytesType), packed)
}

func appendField(b []byte, fd protoreflect.FieldDescriptor, v protoreflect.Value) []byte {
	value, wire := appendValue(nil, fd, v)
	return append(protowire.AppendTag(b, fd.Number(), wire), value...)
}

// appendValue appends a single value without its tag, and says of which type it is on
// the wire. Numbers with a point are in no list and no map of the record.
func appendValue(b []byte, fd protoreflect.FieldDescriptor, v protoreflect.Value) ([]byte, protowire.Type) {
	switch fd.Kind() {
	case protoreflect.BoolKind:
		return protowire.AppendVarint(b, protowire.EncodeBool(v.Bool())), protowire.VarintType
	case protoreflect.EnumKind:
		return protowire.AppendVarint(b, uint64(v.Enum())), protowire.VarintType //nolint:gosec // as the wire has it
	case protoreflect.Int32Kind, protoreflect.Int64Kind:
		return protowire.AppendVarint(b, uint64(v.Int())), protowire.VarintType //nolint:gosec // as the wire has it
	case protoreflect.Sint32Kind, protoreflect.Sint64Kind:
		return protowire.AppendVarint(b, protowire.EncodeZigZag(v.Int())), protowire.VarintType
	case protoreflect.Uint32Kind, protoreflect.Uint64Kind:
		return protowire.AppendVarint(b, v.Uint()), protowire.VarintType
	case protoreflect.Fixed32Kind:
		return protowire.AppendFixed32(b, uint32(v.Uint())), protowire.Fixed32Type //nolint:gosec // of 32 bits
	case protoreflect.Sfixed32Kind:
		return protowire.AppendFixed32(b, uint32(v.Int())), protowire.Fixed32Type //nolint:gosec // of 32 bits
	case protoreflect.Fixed64Kind:
		return protowire.AppendFixed64(b, v.Uint()), protowire.Fixed64Type
	case protoreflect.Sfixed64Kind:
		return protowire.AppendFixed64(b, uint64(v.Int())), protowire.Fixed64Type //nolint:gosec // of 64 bits
	case protoreflect.BytesKind:
		return protowire.AppendBytes(b, v.Bytes()), protowire.BytesType
	case protoreflect.MessageKind, protoreflect.GroupKind:
		return protowire.AppendBytes(b, appendMessage(nil, v.Message())), protowire.BytesType
	}
	return protowire.AppendString(b, v.String()), protowire.BytesType
}
