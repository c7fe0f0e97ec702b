package sheet

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"
	"google.golang.org/protobuf/encoding/protojson"

	"github.com/skaldrpg/skald/pkg/fault"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Marshal writes a sheet as YAML that Parse reads back to an equal sheet.
// Fields come in the order of their numbers under their proto names; fields
// with their zero value are left out; equal sheets give equal bytes.
func Marshal(s *eventv1.Sheet) ([]byte, error) {
	return MarshalAll([]*eventv1.Sheet{s})
}

// MarshalAll writes sheets as a YAML stream that ParseAll reads back.
func MarshalAll(sheets []*eventv1.Sheet) ([]byte, error) {
	var out bytes.Buffer
	enc := yaml.NewEncoder(&out)
	enc.SetIndent(2)
	for _, s := range sheets {
		node, err := toNode(s)
		if err != nil {
			return nil, fault.Wrap(fault.Invalid, "INVALID_SHEET", err, "sheet: writing %q", s.GetId())
		}
		if err := enc.Encode(node); err != nil {
			return nil, fault.Wrap(fault.Internal, "INVALID_SHEET", err, "sheet: writing %q", s.GetId())
		}
	}
	if err := enc.Close(); err != nil {
		return nil, fault.Wrap(fault.Internal, "INVALID_SHEET", err, "sheet: writing")
	}
	return out.Bytes(), nil
}

// MarshalJSON writes a sheet as indented JSON under proto names.
func MarshalJSON(s *eventv1.Sheet) ([]byte, error) {
	text, err := protojson.MarshalOptions{UseProtoNames: true}.Marshal(s)
	if err != nil {
		return nil, fault.Wrap(fault.Invalid, "INVALID_SHEET", err, "sheet: writing %q", s.GetId())
	}
	// Indent evens out the spacing that protojson varies on purpose.
	var out bytes.Buffer
	if err := json.Indent(&out, text, "", "  "); err != nil {
		return nil, fault.Wrap(fault.Internal, "INVALID_SHEET", err, "sheet: writing %q", s.GetId())
	}
	out.WriteByte('\n')
	return out.Bytes(), nil
}

func toNode(s *eventv1.Sheet) (*yaml.Node, error) {
	text, err := protojson.MarshalOptions{UseProtoNames: true}.Marshal(s)
	if err != nil {
		return nil, err
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	return readNode(dec)
}

// readNode turns JSON into YAML nodes token by token, which keeps the order of
// the fields.
func readNode(dec *json.Decoder) (*yaml.Node, error) {
	tok, err := dec.Token()
	if err != nil {
		return nil, err
	}
	switch v := tok.(type) {
	case string:
		node := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: v}
		if oldBool(v) {
			node.Style = yaml.DoubleQuotedStyle
		}
		return node, nil
	case bool:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!bool", Value: fmt.Sprint(v)}, nil
	case json.Number:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!int", Value: v.String()}, nil
	case json.Delim:
		node := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
		if v == '[' {
			node = &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq"}
		}
		for dec.More() {
			child, err := readNode(dec)
			if err != nil {
				return nil, err
			}
			node.Content = append(node.Content, child)
		}
		_, err := dec.Token()
		return compact(node), err
	}
	return nil, fmt.Errorf("sheet: unexpected token %v", tok)
}

// oldBool tells words that readers of YAML 1.1 take for true or false, such as
// "off" for the off hand.
func oldBool(s string) bool {
	switch strings.ToLower(s) {
	case "y", "n", "yes", "no", "on", "off":
		return true
	}
	return false
}

// compact puts a short list or a short set of plain values on one line.
func compact(node *yaml.Node) *yaml.Node {
	const most = 72
	length := 0
	for _, c := range node.Content {
		if c.Kind != yaml.ScalarNode {
			return node
		}
		length += len(c.Value) + 2
	}
	if length <= most {
		node.Style = yaml.FlowStyle
	}
	return node
}
