package scenario

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/structpb"
)

// message reads YAML into a message of the contracts under its proto names.
// protojson would lose the lines.
func (p *parser) message(n *yaml.Node, m proto.Message, what string) {
	if isNull(n) {
		return
	}
	p.fields(n, m.ProtoReflect(), what)
}

func (p *parser) fields(n *yaml.Node, m protoreflect.Message, what string) {
	if p.wellKnown(n, m, what) {
		return
	}
	md := m.Descriptor()
	p.pairs(n, what, func(key, value *yaml.Node) {
		fd := md.Fields().ByName(protoreflect.Name(key.Value))
		if fd == nil {
			p.bad(key, "%s: unknown key %q; known are %s", what, excerpt(key.Value), fieldNames(md))
			return
		}
		if isNull(value) {
			return
		}
		p.field(value, m, fd, what+"."+key.Value)
	})
}

// wellKnown reads the free-form messages: parameters and facts.
func (p *parser) wellKnown(n *yaml.Node, m protoreflect.Message, what string) bool {
	switch into := m.Interface().(type) {
	case *structpb.Struct:
		var v map[string]any
		if n.Kind != yaml.MappingNode || n.Decode(&v) != nil {
			p.bad(n, "%s: want names with values, got %s", what, kindOf(n))
			return true
		}
		s, err := structpb.NewStruct(plainMap(v))
		if err != nil {
			p.bad(n, "%s: %v", what, err)
			return true
		}
		into.Fields = s.Fields
		return true
	case *structpb.Value:
		var v any
		if err := n.Decode(&v); err != nil {
			p.bad(n, "%s: %v", what, err)
			return true
		}
		s, err := structpb.NewValue(plain(v))
		if err != nil {
			p.bad(n, "%s: %v", what, err)
			return true
		}
		into.Kind = s.Kind
		return true
	}
	return false
}

// plain turns what YAML decodes into what structpb takes.
func plain(v any) any {
	switch v := v.(type) {
	case map[string]any:
		return plainMap(v)
	case map[any]any:
		out := map[string]any{}
		for k, x := range v {
			out[fmt.Sprint(k)] = plain(x)
		}
		return out
	case []any:
		out := make([]any, 0, len(v))
		for _, x := range v {
			out = append(out, plain(x))
		}
		return out
	case nil, bool, int, int64, uint64, float64, string:
		return v
	}
	return fmt.Sprint(v)
}

func plainMap(v map[string]any) map[string]any {
	out := map[string]any{}
	for k, x := range v {
		out[k] = plain(x)
	}
	return out
}

func (p *parser) field(n *yaml.Node, m protoreflect.Message, fd protoreflect.FieldDescriptor, what string) {
	switch {
	case fd.IsMap():
		into := m.Mutable(fd).Map()
		p.pairs(n, what, func(key, value *yaml.Node) {
			at := what + "." + key.Value
			if fd.MapValue().Message() != nil {
				v := into.NewValue()
				p.fields(value, v.Message(), at)
				into.Set(protoreflect.ValueOfString(key.Value).MapKey(), v)
				return
			}
			if v, ok := p.scalar(value, fd.MapValue(), at); ok {
				into.Set(protoreflect.ValueOfString(key.Value).MapKey(), v)
			}
		})
	case fd.IsList():
		if n.Kind != yaml.SequenceNode {
			p.bad(n, "%s: want a list, got %s", what, kindOf(n))
			return
		}
		into := m.Mutable(fd).List()
		for i, item := range n.Content {
			at := fmt.Sprintf("%s[%d]", what, i)
			if fd.Message() != nil {
				v := into.NewElement()
				p.fields(item, v.Message(), at)
				into.Append(v)
			} else if v, ok := p.scalar(item, fd, at); ok {
				into.Append(v)
			}
		}
	case fd.Message() != nil:
		p.fields(n, m.Mutable(fd).Message(), what)
	default:
		if v, ok := p.scalar(n, fd, what); ok {
			m.Set(fd, v)
		}
	}
}

func (p *parser) scalar(n *yaml.Node, fd protoreflect.FieldDescriptor, what string) (protoreflect.Value, bool) {
	var none protoreflect.Value
	if n.Kind != yaml.ScalarNode || isNull(n) {
		p.bad(n, "%s: want %s, got %s", what, wanted(fd), kindOf(n))
		return none, false
	}
	switch fd.Kind() {
	case protoreflect.StringKind:
		return protoreflect.ValueOfString(n.Value), true
	case protoreflect.BytesKind:
		return protoreflect.ValueOfBytes([]byte(n.Value)), true
	case protoreflect.BoolKind:
		var b bool
		if n.Decode(&b) == nil {
			return protoreflect.ValueOfBool(b), true
		}
	case protoreflect.EnumKind:
		if v := enumByWord(fd.Enum(), n.Value); v != nil {
			return protoreflect.ValueOfEnum(v.Number()), true
		}
	default:
		return p.number(n, fd, what)
	}
	p.bad(n, "%s: want %s, got %s", what, wanted(fd), kindOf(n))
	return none, false
}

func (p *parser) number(n *yaml.Node, fd protoreflect.FieldDescriptor, what string) (protoreflect.Value, bool) {
	var none protoreflect.Value
	before := len(p.problems)
	v := p.integer(n, what)
	if len(p.problems) > before {
		return none, false
	}
	switch fd.Kind() {
	case protoreflect.Int32Kind, protoreflect.Sint32Kind, protoreflect.Sfixed32Kind:
		if int64(int32(v)) == v {
			return protoreflect.ValueOfInt32(int32(v)), true
		}
	case protoreflect.Uint32Kind, protoreflect.Fixed32Kind:
		if int64(uint32(v)) == v {
			return protoreflect.ValueOfUint32(uint32(v)), true
		}
	case protoreflect.Uint64Kind, protoreflect.Fixed64Kind:
		if v >= 0 {
			return protoreflect.ValueOfUint64(uint64(v)), true
		}
	case protoreflect.Int64Kind, protoreflect.Sint64Kind, protoreflect.Sfixed64Kind:
		return protoreflect.ValueOfInt64(v), true
	default:
		p.bad(n, "%s: fields of kind %s have no form here", what, fd.Kind())
		return none, false
	}
	p.bad(n, "%s: number out of range: %d", what, v)
	return none, false
}

func wanted(fd protoreflect.FieldDescriptor) string {
	switch {
	case fd.Message() != nil:
		return "fields"
	case fd.Kind() == protoreflect.StringKind || fd.Kind() == protoreflect.BytesKind:
		return "text"
	case fd.Kind() == protoreflect.BoolKind:
		return "true or false"
	case fd.Kind() == protoreflect.EnumKind:
		return "one of " + strings.Join(enumWords(fd.Enum()), ", ")
	}
	return "a whole number"
}

func fieldNames(md protoreflect.MessageDescriptor) string {
	var out []string
	for i := range md.Fields().Len() {
		out = append(out, string(md.Fields().Get(i).Name()))
	}
	return strings.Join(out, ", ")
}

// enumWord is the short form of an enum value: LIFE_STATUS_DEAD is "dead".
func enumWord(v protoreflect.EnumValueDescriptor) string {
	name := string(v.Name())
	var prefix strings.Builder
	for i, c := range string(v.Parent().Name()) {
		if 'A' <= c && c <= 'Z' && i > 0 {
			prefix.WriteByte('_')
		}
		prefix.WriteRune(c)
	}
	name = strings.TrimPrefix(name, strings.ToUpper(prefix.String())+"_")
	return strings.ReplaceAll(strings.ToLower(name), "_", "-")
}

func enumWords(ed protoreflect.EnumDescriptor) []string {
	var out []string
	for i := range ed.Values().Len() {
		if v := ed.Values().Get(i); v.Number() != 0 {
			out = append(out, enumWord(v))
		}
	}
	return out
}

// enumByWord finds an enum value by its full name or its short form.
func enumByWord(ed protoreflect.EnumDescriptor, word string) protoreflect.EnumValueDescriptor {
	for i := range ed.Values().Len() {
		v := ed.Values().Get(i)
		if string(v.Name()) == word || enumWord(v) == strings.ToLower(strings.ReplaceAll(word, "_", "-")) {
			return v
		}
	}
	return nil
}
