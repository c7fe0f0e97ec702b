package sheet

import (
	"fmt"

	"go.yaml.in/yaml/v3"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/yamlpb"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Limits on one document; aliases count each time they are used.
const (
	// MaxNodes is the largest number of YAML nodes in a document.
	MaxNodes = yamlpb.MaxNodes
	// MaxDepth is the deepest nesting of a document.
	MaxDepth = yamlpb.MaxDepth
)

// FromNode reads a sheet out of a YAML document that something else holds,
// such as a scenario with its sheets inline. The path is the name that errors
// give the sheet, such as "sheet".
func FromNode(node *yaml.Node, path string) (*eventv1.Sheet, error) {
	out := &eventv1.Sheet{}
	wrong, err := yamlpb.Reader{}.Read(node, out, path)
	if _, limit := fault.As(err); limit {
		return nil, err
	}
	if err != nil {
		return nil, fault.Wrap(fault.Invalid, "INVALID_SHEET", err, "sheet: %s", path)
	}
	violations := make([]fault.Violation, 0, len(wrong))
	for _, v := range wrong {
		violations = append(violations, fault.Violation{Field: v.Field, Description: fmt.Sprintf("%s (line %d)", v.Text, v.Line)})
	}
	if err := fault.Fields(violations); err != nil {
		return nil, err
	}
	return out, nil
}

func isNull(node *yaml.Node) bool {
	return node.Kind == yaml.ScalarNode && node.ShortTag() == "!!null"
}
