package sheet

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"

	"go.yaml.in/yaml/v3"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/skaldrpg/skald/pkg/fault"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Limits on one document. Aliases count each time they are used, so a small
// document cannot unfold into a large one.
const (
	// MaxNodes is the largest number of YAML nodes in a document.
	MaxNodes = 200_000
	// MaxDepth is the deepest nesting of a document.
	MaxDepth = 32
	// maxViolations keeps the answer to a hopeless document readable.
	maxViolations = 20
)

// FromNode reads a sheet out of a YAML document that something else holds,
// such as a scenario with its sheets inline. The path is the name that errors
// give the sheet, such as "sheet".
func FromNode(node *yaml.Node, path string) (*eventv1.Sheet, error) {
	w := &walker{}
	tree := w.message((&eventv1.Sheet{}).ProtoReflect().Descriptor(), node, path, 0)
	if w.limit != nil {
		return nil, w.limit
	}
	if err := fault.Fields(w.violations); err != nil {
		return nil, err
	}
	text, err := json.Marshal(tree)
	if err != nil {
		return nil, fault.Wrap(fault.Invalid, "INVALID_SHEET", err, "sheet: %s", path)
	}
	out := &eventv1.Sheet{}
	if err := protojson.Unmarshal(text, out); err != nil {
		return nil, fault.Wrap(fault.Invalid, "INVALID_SHEET", err, "sheet: %s", path)
	}
	return out, nil
}

// walker follows a YAML node along a message descriptor. It exists because
// protojson knows neither the line nor the path of what it refuses.
type walker struct {
	nodes      int
	violations []fault.Violation
	limit      error
}

func (w *walker) bad(node *yaml.Node, path, format string, args ...any) any {
	if len(w.violations) < maxViolations {
		w.violations = append(w.violations, fault.Violation{Field: path,
			Description: fmt.Sprintf(format, args...) + fmt.Sprintf(" (line %d)", node.Line)})
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
		w.limit = fault.Limit("sheet nodes", MaxNodes, int64(w.nodes))
	}
	if depth > MaxDepth && w.limit == nil {
		w.limit = fault.Limit("sheet nesting", MaxDepth, int64(depth))
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
	if node.Kind != yaml.MappingNode {
		return w.bad(node, path, "want fields, got %s", kindOf(node))
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
			w.bad(key, at, "unknown field")
			continue
		}
		name := string(fd.Name())
		if _, twice := out[name]; twice {
			w.bad(key, at, "given twice")
			continue
		}
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
			out = append(out, w.value(fd, item, fmt.Sprintf("%s[%d]", path, i), depth+1))
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
		out[key.Value] = w.value(fd.MapValue(), node.Content[i+1], at, depth+1)
	}
	return out
}

// value reads one value that is not a list or a map. An empty value inside a
// list or map is a mistake, unlike an empty field.
func (w *walker) value(fd protoreflect.FieldDescriptor, in *yaml.Node, path string, depth int) any {
	if fd.Message() != nil && fd.Message().FullName() == structName {
		return w.open(in, path, depth)
	}
	if fd.Message() != nil {
		return w.message(fd.Message(), in, path, depth)
	}
	node := w.enter(in, depth)
	if node == nil {
		return nil
	}
	if node.Kind != yaml.ScalarNode {
		return w.bad(node, path, "want %s, got %s", want(fd), kindOf(node))
	}
	if isNull(node) {
		return w.bad(node, path, "want %s, got nothing", want(fd))
	}
	switch fd.Kind() {
	case protoreflect.StringKind:
		return w.text(node, path)
	case protoreflect.BoolKind:
		var b bool
		if node.ShortTag() != "!!bool" || node.Decode(&b) != nil {
			return w.bad(node, path, "want true or false, got %q", excerpt(node.Value))
		}
		return b
	case protoreflect.EnumKind:
		if fd.Enum().Values().ByName(protoreflect.Name(node.Value)) == nil {
			return w.bad(node, path, "want one of %s, got %q", enumNames(fd.Enum()), excerpt(node.Value))
		}
		return node.Value
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

// structName is the message of names with values of any kind.
var structName = (&structpb.Struct{}).ProtoReflect().Descriptor().FullName()

// open reads names with values of any kind.
func (w *walker) open(in *yaml.Node, path string, depth int) any {
	node := w.enter(in, depth)
	if node == nil {
		return nil
	}
	if node.Kind != yaml.MappingNode {
		return w.bad(node, path, "want names with values, got %s", kindOf(node))
	}
	return w.openValue(node, path, depth)
}

func (w *walker) openValue(node *yaml.Node, path string, depth int) any {
	switch node.Kind {
	case yaml.MappingNode:
		out := make(map[string]any, len(node.Content)/2)
		for i := 0; i+1 < len(node.Content); i += 2 {
			key, value := w.enter(node.Content[i], depth+1), w.enter(node.Content[i+1], depth+1)
			if key == nil || value == nil {
				return nil
			}
			if _, twice := out[key.Value]; twice || key.Kind != yaml.ScalarNode {
				w.bad(key, path, "a name must be a word, and given once")
				continue
			}
			out[key.Value] = w.openValue(value, path+"."+key.Value, depth+1)
		}
		return out
	case yaml.SequenceNode:
		out := make([]any, 0, len(node.Content))
		for i, item := range node.Content {
			if item = w.enter(item, depth+1); item == nil {
				return nil
			}
			out = append(out, w.openValue(item, fmt.Sprintf("%s[%d]", path, i), depth+1))
		}
		return out
	}
	var v any
	if err := node.Decode(&v); err != nil {
		return w.bad(node, path, "%v", err)
	}
	switch v := v.(type) {
	case string, bool, nil:
		return v
	case int, int64, uint64:
		return v
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return w.bad(node, path, "%q is no number", excerpt(node.Value))
		}
		return v
	}
	return w.text(node, path)
}
