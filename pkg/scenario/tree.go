package scenario

import (
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"github.com/skaldrpg/skald/pkg/yamlpb"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/structpb"
)

// What came, as plain values to compare with: word, number, object, dict, rows.
type (
	// word is a text, a truth value or an enum value; alias is the enum's full name.
	word struct{ text, alias string }
	// number is a whole number.
	number int64
	// object is a message; fields that are not set and have presence are missing.
	object map[string]any
	// dict is a map of the contracts.
	dict struct {
		values map[string]any
		plain  bool // values are scalars, whose absence means zero
	}
	// rows is a list.
	rows []any
)

// absent is the value of what is not there.
type absent struct{}

// tree turns a message into plain values under its proto names.
func tree(m protoreflect.Message) any {
	switch v := m.Interface().(type) {
	case *structpb.Struct:
		return loose(v.AsMap())
	case *structpb.Value:
		return loose(v.AsInterface())
	}
	out := object{}
	fds := m.Descriptor().Fields()
	for i := range fds.Len() {
		fd := fds.Get(i)
		if fd.HasPresence() && !m.Has(fd) {
			continue
		}
		out[string(fd.Name())] = value(m.Get(fd), fd)
	}
	return out
}

func value(v protoreflect.Value, fd protoreflect.FieldDescriptor) any {
	switch {
	case fd.IsMap():
		out := dict{values: map[string]any{}, plain: fd.MapValue().Message() == nil}
		v.Map().Range(func(k protoreflect.MapKey, v protoreflect.Value) bool {
			out.values[k.String()] = one(v, fd.MapValue())
			return true
		})
		return out
	case fd.IsList():
		out := rows{}
		for i := range v.List().Len() {
			out = append(out, one(v.List().Get(i), fd))
		}
		return out
	}
	return one(v, fd)
}

func one(v protoreflect.Value, fd protoreflect.FieldDescriptor) any {
	switch fd.Kind() {
	case protoreflect.MessageKind, protoreflect.GroupKind:
		return tree(v.Message())
	case protoreflect.StringKind:
		return word{text: v.String()}
	case protoreflect.BytesKind:
		return word{text: hex.EncodeToString(v.Bytes())}
	case protoreflect.BoolKind:
		return word{text: strconv.FormatBool(v.Bool())}
	case protoreflect.EnumKind:
		ev := fd.Enum().Values().ByNumber(v.Enum())
		if ev == nil {
			return word{text: fmt.Sprint(v.Enum())}
		}
		return word{text: yamlpb.Word(ev), alias: string(ev.Name())}
	case protoreflect.Uint32Kind, protoreflect.Fixed32Kind, protoreflect.Uint64Kind, protoreflect.Fixed64Kind:
		return number(v.Uint())
	case protoreflect.FloatKind, protoreflect.DoubleKind:
		return word{text: strconv.FormatFloat(v.Float(), 'g', -1, 64)}
	}
	return number(v.Int())
}

// loose turns free-form values into the same.
func loose(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := object{}
		for k, x := range v {
			out[k] = loose(x)
		}
		return out
	case []any:
		out := rows{}
		for _, x := range v {
			out = append(out, loose(x))
		}
		return out
	case nil:
		return absent{}
	case float64:
		return word{text: strconv.FormatFloat(v, 'g', -1, 64)}
	}
	return word{text: fmt.Sprint(v)}
}

// show writes what came in the manner of the file, without what is empty.
func show(v any) string {
	switch v := v.(type) {
	case absent, nil:
		return "~"
	case number:
		return strconv.FormatInt(int64(v), 10)
	case word:
		if v.text == "" || strings.ContainsAny(v.text, ",:{}[]#") {
			return strconv.Quote(v.text)
		}
		return v.text
	case rows:
		parts := make([]string, 0, len(v))
		for _, x := range v {
			parts = append(parts, show(x))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case dict:
		return showMap(v.values)
	case object:
		return showMap(v)
	}
	return fmt.Sprint(v)
}

func showMap(m map[string]any) string {
	var parts []string
	for _, k := range sortedKeys(m) {
		if !isEmpty(m[k]) {
			parts = append(parts, k+": "+show(m[k]))
		}
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// isEmpty tells whether a value is what a field without presence has by default.
func isEmpty(v any) bool {
	switch v := v.(type) {
	case absent, nil:
		return true
	case number:
		return v == 0
	case word:
		return v.text == "" || v.text == "false" || strings.HasSuffix(v.alias, "_UNSPECIFIED")
	case rows:
		return len(v) == 0
	case dict:
		return len(v.values) == 0
	}
	return false
}
