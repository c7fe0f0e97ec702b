package scenario

import (
	"strings"

	"go.yaml.in/yaml/v3"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/skaldrpg/skald/pkg/yamlpb"
)

// message reads YAML into a message of the contracts under its proto names, which
// may hold something already.
func (p *parser) message(n *yaml.Node, m proto.Message, what string) {
	if isNull(n) {
		return
	}
	read := m.ProtoReflect().New().Interface()
	wrong, err := yamlpb.Reader{Words: true}.Read(n, read, what)
	for _, v := range wrong {
		p.bad(&yaml.Node{Line: v.Line}, "%s: %s", strings.TrimPrefix(v.Field, "."), v.Text)
	}
	if err != nil {
		p.bad(n, "%s: %v", what, err)
		return
	}
	proto.Merge(m, read)
}

// one reads the value of one field of a message; false when it is wrong.
func (p *parser) one(n *yaml.Node, m proto.Message, field, what string) bool {
	before := len(p.problems)
	key := &yaml.Node{Kind: yaml.ScalarNode, Value: field, Line: n.Line}
	p.message(&yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{key, n}, Line: n.Line}, m, what)
	return len(p.problems) == before
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
		return "one of " + strings.Join(yamlpb.Words(fd.Enum()), ", ")
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
