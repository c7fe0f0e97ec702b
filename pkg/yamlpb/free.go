package yamlpb

import (
	"fmt"
	"math"

	"go.yaml.in/yaml/v3"
	"google.golang.org/protobuf/reflect/protoreflect"
)

func (w *walker) place(path string, node *yaml.Node) {
	if w.reader.Place != nil {
		w.reader.Place(path, node.Line)
	}
}

// free is the message that the fields of a free object must fit; nil when they
// may be anything.
func (w *walker) free(path string, node *yaml.Node) protoreflect.MessageDescriptor {
	if w.reader.Free == nil {
		return nil
	}
	var keys []string
	for i := 0; i+1 < len(node.Content); i += 2 {
		keys = append(keys, node.Content[i].Value)
	}
	return w.reader.Free(path, keys)
}

// object reads a free object.
func (w *walker) object(node *yaml.Node, path string, depth int) any {
	out := make(map[string]any, len(node.Content)/2)
	for i := 0; i+1 < len(node.Content); i += 2 {
		key := w.enter(node.Content[i], depth+1)
		if key == nil {
			return nil
		}
		at := path + "." + key.Value
		if key.Kind != yaml.ScalarNode {
			w.bad(key, path, "a field name must be a word")
			continue
		}
		if _, twice := out[key.Value]; twice {
			w.bad(key, at, "given twice")
			continue
		}
		w.place(at, key)
		out[key.Value] = w.any(node.Content[i+1], at, depth+1)
	}
	return out
}

// any reads a free value.
func (w *walker) any(in *yaml.Node, path string, depth int) any {
	node := w.enter(in, depth)
	if node == nil {
		return nil
	}
	switch node.Kind {
	case yaml.MappingNode:
		return w.object(node, path, depth)
	case yaml.SequenceNode:
		out := make([]any, 0, len(node.Content))
		for i, item := range node.Content {
			at := fmt.Sprintf("%s[%d]", path, i)
			w.place(at, item)
			out = append(out, w.any(item, at, depth+1))
		}
		return out
	}
	switch node.ShortTag() {
	case "!!null":
		return nil
	case "!!bool":
		var b bool
		if node.Decode(&b) == nil {
			return b
		}
	case "!!int":
		var n int64
		if node.Decode(&n) == nil {
			return n
		}
	case "!!float":
		var f float64
		if node.Decode(&f) == nil && !math.IsNaN(f) && !math.IsInf(f, 0) {
			return f
		}
	case "!!str", "!!timestamp":
		return node.Value
	}
	return w.bad(node, path, "want text, true, false or a number, got %q", excerpt(node.Value))
}

func fieldNames(md protoreflect.MessageDescriptor) []string {
	out := make([]string, 0, md.Fields().Len())
	for i := range md.Fields().Len() {
		out = append(out, string(md.Fields().Get(i).Name()))
	}
	return out
}
