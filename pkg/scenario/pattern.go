package scenario

import (
	"fmt"
	"strings"

	"github.com/skaldrpg/skald/pkg/yamlpb"
	"go.yaml.in/yaml/v3"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// pattern is something expected: absent, a scalar, a list or fields.
type pattern interface{ String() string }

type (
	// nothing expects absence: "~" in the file.
	nothing struct{}
	// scalar expects one value; its text is compared by the type of what came.
	scalar struct{ text string }
	// list expects elements.
	list []pattern
	// fields expects a subset of fields, in the order of the file.
	fields struct {
		keys   []string
		values []pattern
	}
)

func (nothing) String() string  { return "~" }
func (s scalar) String() string { return s.text }

func (l list) String() string {
	parts := make([]string, 0, len(l))
	for _, p := range l {
		parts = append(parts, p.String())
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

func (f fields) String() string {
	parts := make([]string, 0, len(f.keys))
	for i, k := range f.keys {
		parts = append(parts, k+": "+f.values[i].String())
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// pattern reads an expectation and checks that every key in it is a field of
// what it will be compared with (I2).
func (p *parser) pattern(n *yaml.Node, fd protoreflect.FieldDescriptor, what string) pattern {
	switch {
	case isNull(n):
		return nothing{}
	case fd.IsMap():
		var out fields
		p.pairs(n, what, func(key, value *yaml.Node) {
			out.keys = append(out.keys, key.Value)
			out.values = append(out.values, p.single(value, fd.MapValue(), what+"."+key.Value))
		})
		return out
	case fd.IsList():
		out := list{}
		for i, item := range p.items(n) {
			out = append(out, p.single(item, fd, fmt.Sprintf("%s[%d]", what, i)))
		}
		return out
	}
	return p.single(n, fd, what)
}

// single reads the expectation of one value, not of a list or map.
func (p *parser) single(n *yaml.Node, fd protoreflect.FieldDescriptor, what string) pattern {
	if isNull(n) {
		return nothing{}
	}
	md := fd.Message()
	if md == nil {
		return p.scalarPattern(n, fd, what)
	}
	if strings.HasPrefix(string(md.FullName()), "google.protobuf.") {
		return p.free(n, what)
	}
	// A word stands for a message that goes by it: a condition by its name.
	if n.Kind == yaml.ScalarNode && nameField(md) != "" {
		return scalar{n.Value}
	}
	return p.messagePattern(n, md, what)
}

func (p *parser) messagePattern(n *yaml.Node, md protoreflect.MessageDescriptor, what string) pattern {
	var out fields
	p.pairs(n, what, func(key, value *yaml.Node) {
		fd := md.Fields().ByName(protoreflect.Name(key.Value))
		if fd == nil {
			p.bad(key, "%s: unknown key %q; known are %s", what, excerpt(key.Value), fieldNames(md))
			return
		}
		out.keys = append(out.keys, key.Value)
		out.values = append(out.values, p.pattern(value, fd, what+"."+key.Value))
	})
	return out
}

func (p *parser) scalarPattern(n *yaml.Node, fd protoreflect.FieldDescriptor, what string) pattern {
	if n.Kind != yaml.ScalarNode {
		p.bad(n, "%s: want %s, got %s", what, wanted(fd), kindOf(n))
		return nothing{}
	}
	if n.Value == anything {
		return scalar{anything}
	}
	switch fd.Kind() {
	case protoreflect.StringKind, protoreflect.BytesKind:
	case protoreflect.EnumKind:
		if yamlpb.ByWord(fd.Enum(), n.Value) == nil {
			p.bad(n, "%s: want %s, got %s", what, wanted(fd), kindOf(n))
		}
	case protoreflect.BoolKind:
		var b bool
		if n.Decode(&b) != nil {
			p.bad(n, "%s: want true or false, got %s", what, kindOf(n))
		}
		return scalar{fmt.Sprint(b)}
	default:
		return scalar{fmt.Sprint(p.integer(n, what))}
	}
	return scalar{n.Value}
}

// free reads an expectation about free-form values, where any key may stand.
func (p *parser) free(n *yaml.Node, what string) pattern {
	switch {
	case isNull(n):
		return nothing{}
	case n.Kind == yaml.MappingNode:
		var out fields
		p.pairs(n, what, func(key, value *yaml.Node) {
			out.keys = append(out.keys, key.Value)
			out.values = append(out.values, p.free(value, what))
		})
		return out
	case n.Kind == yaml.SequenceNode:
		out := list{}
		for _, item := range n.Content {
			out = append(out, p.free(item, what))
		}
		return out
	}
	return scalar{n.Value}
}

// nameField is the field that a message goes by; empty when it has none.
func nameField(md protoreflect.MessageDescriptor) protoreflect.Name {
	for _, name := range []protoreflect.Name{"name", "id"} {
		if md.Fields().ByName(name) != nil {
			return name
		}
	}
	return ""
}
