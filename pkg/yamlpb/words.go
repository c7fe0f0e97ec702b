package yamlpb

import (
	"strings"

	"go.yaml.in/yaml/v3"
	"google.golang.org/protobuf/reflect/protoreflect"
)

func isNull(node *yaml.Node) bool {
	return node.Kind == yaml.ScalarNode && node.ShortTag() == "!!null"
}

func kindOf(node *yaml.Node) string {
	switch node.Kind {
	case yaml.MappingNode:
		return "fields"
	case yaml.SequenceNode:
		return "a list"
	case yaml.ScalarNode:
		if isNull(node) {
			return "nothing"
		}
		return "\"" + excerpt(node.Value) + "\""
	}
	return "nothing"
}

func (r Reader) want(fd protoreflect.FieldDescriptor) string {
	switch fd.Kind() {
	case protoreflect.StringKind, protoreflect.BytesKind:
		return "text"
	case protoreflect.BoolKind:
		return "true or false"
	case protoreflect.EnumKind:
		return "one of " + r.enumNames(fd.Enum())
	}
	return "a whole number"
}

func (r Reader) enumNames(ed protoreflect.EnumDescriptor) string {
	names := make([]string, 0, ed.Values().Len())
	for i := range ed.Values().Len() {
		v := ed.Values().Get(i)
		switch {
		case !r.Words:
			names = append(names, string(v.Name()))
		case v.Number() != 0:
			names = append(names, Word(v))
		}
	}
	return strings.Join(names, ", ")
}

// enum finds a value of an enum by its name or, where words are read, its word.
func (r Reader) enum(ed protoreflect.EnumDescriptor, word string) protoreflect.EnumValueDescriptor {
	if r.Words {
		return ByWord(ed, word)
	}
	return ed.Values().ByName(protoreflect.Name(word))
}

// Word is the short form of an enum's value: LIFE_STATUS_DEAD is "dead".
func Word(v protoreflect.EnumValueDescriptor) string {
	var prefix strings.Builder
	for i, c := range string(v.Parent().Name()) {
		if 'A' <= c && c <= 'Z' && i > 0 {
			prefix.WriteByte('_')
		}
		prefix.WriteRune(c)
	}
	name := strings.TrimPrefix(string(v.Name()), strings.ToUpper(prefix.String())+"_")
	return strings.ReplaceAll(strings.ToLower(name), "_", "-")
}

// Words are the short forms of an enum's values, but for the one of 0.
func Words(ed protoreflect.EnumDescriptor) []string {
	var out []string
	for i := range ed.Values().Len() {
		if v := ed.Values().Get(i); v.Number() != 0 {
			out = append(out, Word(v))
		}
	}
	return out
}

// ByWord finds a value of an enum by its name or its short form; nil when there is
// none.
func ByWord(ed protoreflect.EnumDescriptor, word string) protoreflect.EnumValueDescriptor {
	for i := range ed.Values().Len() {
		v := ed.Values().Get(i)
		if string(v.Name()) == word || Word(v) == strings.ToLower(strings.ReplaceAll(word, "_", "-")) {
			return v
		}
	}
	return nil
}

// excerpt keeps what is quoted back to a caller short.
func excerpt(s string) string {
	const most = 40
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "..."
	}
	return s
}
