package yamlpb

import (
	"encoding/json"
	"fmt"
	"strconv"

	"go.yaml.in/yaml/v3"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/near"
)

// Limits on one document. Aliases count each time they are used, so a small
// document cannot unfold into a large one.
const (
	// MaxNodes is the largest number of YAML nodes in a document.
	MaxNodes = 200_000
	// MaxDepth is the deepest nesting of a document.
	MaxDepth = 32
	// MaxViolations keeps the answer to a hopeless document readable.
	MaxViolations = 20
)

// Violation is one mistake.
type Violation struct {
	// Field is the path.
	Field string
	// Line in the document, from 1.
	Line int
	// Text says what is wrong.
	Text string
}

// Reader says how a document is read. The zero Reader reads plainly.
type Reader struct {
	// Place is told the path and line of every field and element; may be nil.
	Place func(path string, line int)
	// Free says which message the fields of a google.protobuf.Struct at a path must
	// fit; nil, or a nil answer, lets it hold anything. Keys are its fields.
	Free func(path string, keys []string) protoreflect.MessageDescriptor
	// Words: values of enums may be written in short, such as "dead" for
	// LIFE_STATUS_DEAD; see [Word].
	Words bool
}

// Read reads a YAML node into a message, which must be empty. The path is the
// name that mistakes give the message, such as "sheet". The error is an Exhausted
// fault for a document beyond the limits, or what protojson still refuses.
func (r Reader) Read(node *yaml.Node, into proto.Message, path string) ([]Violation, error) {
	w := &walker{reader: r}
	tree := w.message(into.ProtoReflect().Descriptor(), node, path, 0)
	if w.limit != nil {
		return nil, w.limit
	}
	if len(w.violations) > 0 {
		return w.violations, nil
	}
	text, err := json.Marshal(tree)
	if err != nil {
		return nil, err
	}
	return nil, protojson.Unmarshal(text, into)
}

// walker follows a YAML node along a message descriptor. It exists because
// protojson knows neither the line nor the path of what it refuses.
type walker struct {
	reader     Reader
	nodes      int
	violations []Violation
	limit      error
}

func (w *walker) bad(node *yaml.Node, path, format string, args ...any) any {
	if len(w.violations) < MaxViolations {
		w.violations = append(w.violations, Violation{Field: path, Line: node.Line, Text: fmt.Sprintf(format, args...)})
	}
	return nil
}

// enter follows aliases and counts against the limits; nil means stop here.
func (w *walker) enter(node *yaml.Node, depth int) *yaml.Node {
	for node != nil && (node.Kind == yaml.AliasNode || node.Kind == yaml.DocumentNode) {
		if node.Kind == yaml.AliasNode {
			node = node.Alias
		} else if len(node.Content) == 0 {
			return nil
		} else {
			node = node.Content[0]
		}
	}
	w.nodes++
	if w.nodes > MaxNodes && w.limit == nil {
		w.limit = fault.Limit("nodes of a document", MaxNodes, int64(w.nodes))
	}
	if depth > MaxDepth && w.limit == nil {
		w.limit = fault.Limit("nesting of a document", MaxDepth, int64(depth))
	}
	if w.limit != nil {
		return nil
	}
	return node
}

func (w *walker) message(md protoreflect.MessageDescriptor, in *yaml.Node, path string, depth int) any {
	node := w.enter(in, depth)
	if node == nil {
		return nil
	}
	if md.FullName() == "google.protobuf.Value" {
		return w.any(in, path, depth)
	}
	if node.Kind != yaml.MappingNode {
		return w.bad(node, path, "want fields, got %s", kindOf(node))
	}
	if md.FullName() == "google.protobuf.Struct" {
		if md = w.free(path, node); md == nil {
			return w.object(node, path, depth)
		}
	}
	out := make(map[string]any, len(node.Content)/2)
	for i := 0; i+1 < len(node.Content); i += 2 {
		key := w.enter(node.Content[i], depth+1)
		if key == nil {
			return nil
		}
		if key.Kind != yaml.ScalarNode {
			w.bad(key, path, "a field name must be a word")
			continue
		}
		at := path + "." + key.Value
		fd := field(md, key.Value)
		if fd == nil {
			w.bad(key, at, "unknown field%s", near.DidYouMean(key.Value, fieldNames(md)))
			continue
		}
		name := string(fd.Name())
		if _, twice := out[name]; twice {
			w.bad(key, at, "given twice")
			continue
		}
		w.place(at, key)
		out[name] = w.field(fd, node.Content[i+1], at, depth+1)
	}
	return out
}

func field(md protoreflect.MessageDescriptor, name string) protoreflect.FieldDescriptor {
	if fd := md.Fields().ByName(protoreflect.Name(name)); fd != nil {
		return fd
	}
	return md.Fields().ByJSONName(name)
}

func (w *walker) field(fd protoreflect.FieldDescriptor, in *yaml.Node, path string, depth int) any {
	node := w.enter(in, depth)
	if node == nil || isNull(node) {
		return nil
	}
	switch {
	case fd.IsMap():
		return w.mapping(fd, node, path, depth)
	case fd.IsList():
		if node.Kind != yaml.SequenceNode {
			return w.bad(node, path, "want a list, got %s", kindOf(node))
		}
		out := make([]any, 0, len(node.Content))
		for i, item := range node.Content {
			at := fmt.Sprintf("%s[%d]", path, i)
			w.place(at, item)
			out = append(out, w.value(fd, item, at, depth+1))
			if w.limit != nil {
				return nil
			}
		}
		return out
	default:
		return w.value(fd, node, path, depth)
	}
}

func (w *walker) mapping(fd protoreflect.FieldDescriptor, node *yaml.Node, path string, depth int) any {
	if node.Kind != yaml.MappingNode {
		return w.bad(node, path, "want names with values, got %s", kindOf(node))
	}
	out := make(map[string]any, len(node.Content)/2)
	for i := 0; i+1 < len(node.Content); i += 2 {
		key := w.enter(node.Content[i], depth+1)
		if key == nil {
			return nil
		}
		if key.Kind != yaml.ScalarNode {
			w.bad(key, path, "a name must be a word")
			continue
		}
		at := path + "." + key.Value
		if _, twice := out[key.Value]; twice {
			w.bad(key, at, "given twice")
			continue
		}
		w.place(at, key)
		out[key.Value] = w.value(fd.MapValue(), node.Content[i+1], at, depth+1)
	}
	return out
}

// value reads one value that is not a list or a map. An empty value inside a
// list or map is a mistake, unlike an empty field.
func (w *walker) value(fd protoreflect.FieldDescriptor, in *yaml.Node, path string, depth int) any {
	if fd.Message() != nil {
		return w.message(fd.Message(), in, path, depth)
	}
	node := w.enter(in, depth)
	if node == nil {
		return nil
	}
	if node.Kind != yaml.ScalarNode {
		return w.bad(node, path, "want %s, got %s", w.reader.want(fd), kindOf(node))
	}
	if isNull(node) {
		return w.bad(node, path, "want %s, got nothing", w.reader.want(fd))
	}
	switch fd.Kind() {
	case protoreflect.StringKind:
		return w.text(node, path)
	case protoreflect.BytesKind:
		return []byte(node.Value)
	case protoreflect.BoolKind:
		var b bool
		if node.ShortTag() != "!!bool" || node.Decode(&b) != nil {
			return w.bad(node, path, "want true or false, got %q", excerpt(node.Value))
		}
		return b
	case protoreflect.EnumKind:
		v := w.reader.enum(fd.Enum(), node.Value)
		if v == nil {
			return w.bad(node, path, "want one of %s, got %q", w.reader.enumNames(fd.Enum()), excerpt(node.Value))
		}
		return string(v.Name())
	default:
		return w.number(fd, node, path)
	}
}

// text takes a scalar as it was written, so that challenge_rating: 1 needs no
// quotes. Tags that change what is written, such as !!binary, are refused.
func (w *walker) text(node *yaml.Node, path string) any {
	switch node.ShortTag() {
	case "!!str", "!!int", "!!float", "!!bool", "!!timestamp":
		return node.Value
	}
	return w.bad(node, path, "tag %s has no meaning here", excerpt(node.ShortTag()))
}

func (w *walker) number(fd protoreflect.FieldDescriptor, node *yaml.Node, path string) any {
	bits := 64
	if fd.Kind() == protoreflect.Int32Kind || fd.Kind() == protoreflect.Sint32Kind || fd.Kind() == protoreflect.Sfixed32Kind {
		bits = 32
	}
	var n int64
	if node.ShortTag() != "!!int" || node.Decode(&n) != nil {
		return w.bad(node, path, "want a whole number, got %q", excerpt(node.Value))
	}
	if bits == 32 && int64(int32(n)) != n {
		return w.bad(node, path, "number out of range: %s", strconv.FormatInt(n, 10))
	}
	return n
}
