package scenario

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// parser collects the mistakes of one file.
type parser struct {
	file     string
	problems []Problem
}

// bad notes a mistake at a node.
func (p *parser) bad(n *yaml.Node, format string, args ...any) {
	line := 0
	if n != nil {
		line = n.Line
	}
	if len(p.problems) < maxProblems {
		p.problems = append(p.problems, Problem{File: p.file, Line: line, Text: fmt.Sprintf(format, args...)})
	}
}

func (p *parser) err() error {
	if len(p.problems) == 0 {
		return nil
	}
	return &ParseError{Problems: p.problems}
}

// keyed says what to do with the value of each known key of a mapping.
type keyed map[string]func(value *yaml.Node)

// mapping walks a mapping: unknown and repeated keys are mistakes (I2).
func (p *parser) mapping(n *yaml.Node, what string, known keyed) bool {
	if n.Kind != yaml.MappingNode {
		p.bad(n, "%s: want fields, got %s", what, kindOf(n))
		return false
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		fn, ok := known[key.Value]
		switch {
		case key.Kind != yaml.ScalarNode || !ok:
			p.bad(key, "%s: unknown key %q; known are %s", what, excerpt(key.Value), strings.Join(sortedKeys(known), ", "))
		case seen[key.Value]:
			p.bad(key, "%s: key %q given twice", what, key.Value)
		default:
			seen[key.Value] = true
			fn(n.Content[i+1])
		}
	}
	return true
}

// pairs walks a mapping whose keys are free; repeated keys are mistakes.
func (p *parser) pairs(n *yaml.Node, what string, fn func(key, value *yaml.Node)) {
	if isNull(n) {
		return
	}
	if n.Kind != yaml.MappingNode {
		p.bad(n, "%s: want names with values, got %s", what, kindOf(n))
		return
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		switch {
		case key.Kind != yaml.ScalarNode:
			p.bad(key, "%s: a name must be a word", what)
		case seen[key.Value]:
			p.bad(key, "%s: %q given twice", what, excerpt(key.Value))
		default:
			seen[key.Value] = true
			fn(key, n.Content[i+1])
		}
	}
}

// items are the elements of a list; a lone value counts as a list of one.
func (p *parser) items(n *yaml.Node) []*yaml.Node {
	if n.Kind == yaml.SequenceNode {
		return n.Content
	}
	if isNull(n) {
		return nil
	}
	return []*yaml.Node{n}
}

func (p *parser) text(n *yaml.Node, what string) string {
	if n.Kind != yaml.ScalarNode || isNull(n) {
		p.bad(n, "%s: want text, got %s", what, kindOf(n))
		return ""
	}
	return n.Value
}

func (p *parser) texts(n *yaml.Node, what string) []string {
	var out []string
	for _, item := range p.items(n) {
		out = append(out, p.text(item, what))
	}
	return out
}

func (p *parser) integer(n *yaml.Node, what string) int64 {
	var v int64
	if n.Kind != yaml.ScalarNode || n.ShortTag() != "!!int" || n.Decode(&v) != nil {
		p.bad(n, "%s: want a whole number, got %s", what, kindOf(n))
		return 0
	}
	return v
}

func (p *parser) int32(n *yaml.Node, what string) int32 {
	v := p.integer(n, what)
	if int64(int32(v)) != v {
		p.bad(n, "%s: number out of range: %d", what, v)
		return 0
	}
	return int32(v)
}

func (p *parser) faces(n *yaml.Node, what string) []int32 {
	if n.Kind != yaml.SequenceNode {
		p.bad(n, "%s: want a list of faces, got %s", what, kindOf(n))
		return nil
	}
	var out []int32
	for _, item := range n.Content {
		out = append(out, p.int32(item, what))
	}
	return out
}

// expand copies a document with every alias unfolded, within the limits (I4).
type expander struct {
	nodes int
	err   error
}

func (x *expander) expand(n *yaml.Node, depth int) *yaml.Node {
	x.nodes++
	switch {
	case x.err != nil:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null"}
	case x.nodes > MaxNodes:
		x.err = fmt.Errorf("more than %d nodes", MaxNodes)
	case depth > MaxDepth:
		x.err = fmt.Errorf("nested deeper than %d", MaxDepth)
	}
	if n.Kind == yaml.AliasNode {
		return x.expand(n.Alias, depth+1)
	}
	out := *n
	out.Anchor, out.Alias, out.Content = "", nil, nil
	for _, c := range n.Content {
		if x.err != nil {
			break
		}
		out.Content = append(out.Content, x.expand(c, depth+1))
	}
	if out.Kind == yaml.MappingNode && len(out.Content)%2 != 0 {
		out.Content = out.Content[:len(out.Content)-1]
	}
	return &out
}

// merge lays the fields of over onto base, mapping by mapping; anything else
// of over replaces what base has. Neither is changed.
func merge(base, over *yaml.Node) *yaml.Node {
	if base.Kind != yaml.MappingNode || over.Kind != yaml.MappingNode {
		return over
	}
	out := *base
	out.Content = slices.Clone(base.Content)
	for i := 0; i+1 < len(over.Content); i += 2 {
		key, value := over.Content[i], over.Content[i+1]
		at := -1
		for j := 0; j+1 < len(out.Content); j += 2 {
			if out.Content[j].Value == key.Value {
				at = j + 1
			}
		}
		if at < 0 {
			out.Content = append(out.Content, key, value)
			continue
		}
		out.Content[at] = merge(out.Content[at], value)
	}
	return &out
}

// setField gives a mapping a text field; it changes a copy.
func setField(n *yaml.Node, key, value string) *yaml.Node {
	over := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Line: n.Line, Content: []*yaml.Node{
		{Kind: yaml.ScalarNode, Tag: "!!str", Value: key, Line: n.Line},
		{Kind: yaml.ScalarNode, Tag: "!!str", Value: value, Line: n.Line}}}
	return merge(n, over)
}

func hasField(n *yaml.Node, key string) bool {
	for i := 0; n.Kind == yaml.MappingNode && i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return true
		}
	}
	return false
}

func isNull(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null" || n.Kind == 0
}

func kindOf(n *yaml.Node) string {
	switch {
	case isNull(n):
		return "nothing"
	case n.Kind == yaml.MappingNode:
		return "fields"
	case n.Kind == yaml.SequenceNode:
		return "a list"
	}
	return fmt.Sprintf("%q", excerpt(n.Value))
}

// excerpt keeps what is quoted back short.
func excerpt(s string) string {
	const most = 60
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "..."
	}
	return s
}

func sortedKeys[V any](m map[string]V) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}
