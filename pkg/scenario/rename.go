package scenario

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/skaldrpg/skald/pkg/rules"
)

// Rename gives a scenario file the names of today where it says those of builds
// before: counters and marks under vitals and in expected states, names of
// conditions, parameters and facts. Nothing else of the text changes. It returns the
// text, how many places it changed, and those that people must see to. find gives the
// rule system of an id; a file that is no YAML is an error.
func Rename(file string, text []byte, find func(id string) (rules.System, error)) ([]byte, int, []Problem, error) {
	r := &renaming{file: file, lines: strings.SplitAfter(string(text), "\n")}
	for in := yaml.NewDecoder(bytes.NewReader(text)); ; {
		var doc yaml.Node
		if err := in.Decode(&doc); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, 0, nil, fmt.Errorf("scenario: %s: %w", file, err)
		}
		if len(doc.Content) == 0 {
			continue
		}
		sys, err := find(valueOf(doc.Content[0], "system"))
		if err != nil {
			r.leave(doc.Content[0], "%v", err)
			continue
		}
		if r.table, r.words = rules.RenamesOf(sys), rules.VocabularyOf(sys); r.table != nil {
			r.walk(doc.Content[0], nil, "")
		}
	}
	done := r.write()
	return []byte(strings.Join(r.lines, "")), done, r.left, nil
}

// valueOf is what a mapping says of a key, as text; empty when nothing.
func valueOf(n *yaml.Node, key string) string {
	for i := 0; n.Kind == yaml.MappingNode && i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return n.Content[i+1].Value
		}
	}
	return ""
}

// change is one piece of text in the place of another.
type change struct {
	node *yaml.Node
	new  string
}

// renaming is the work on one file.
type renaming struct {
	file    string
	lines   []string
	table   *rules.Renames
	words   *rules.Vocabulary
	changes []change
	left    []Problem
}

func (r *renaming) leave(n *yaml.Node, format string, args ...any) {
	r.left = append(r.left, Problem{File: r.file, Line: n.Line, Text: fmt.Sprintf(format, args...)})
}

// walk goes through the file; path are the keys that lead to the node, action is
// that of the command around it.
func (r *renaming) walk(n *yaml.Node, path []string, action string) {
	if n.Kind == yaml.SequenceNode {
		for _, x := range n.Content {
			r.walk(x, path, action)
		}
	}
	if n.Kind != yaml.MappingNode {
		return
	}
	if a := valueOf(n, "action"); a != "" && !slices.Contains(path, "parameters") {
		action = a
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		switch place, prefix := r.place(path); {
		case place != "":
			r.named(place, prefix, action, key, value)
		case key.Value == "name" && r.ends(path, "vitals", "conditions"):
			r.named(rules.PlaceCondition, "", "", value, nil)
		case strings.HasPrefix(key.Value, "creatures.") || strings.HasPrefix(key.Value, "patients."):
			r.expected(key, value)
		}
		r.walk(value, append(slices.Clip(path), key.Value), action)
	}
}

func (r *renaming) ends(path []string, last ...string) bool {
	return len(path) >= len(last) && slices.Equal(path[len(path)-len(last):], last)
}

// place is where the keys of a mapping are said, and what the table sets before
// them; empty when they are no names.
func (r *renaming) place(path []string) (place, prefix string) {
	switch {
	case r.ends(path, "vitals", "counters"):
		return rules.PlaceCounter, ""
	case r.ends(path, "vitals", "marks"):
		return rules.PlaceMark, ""
	case r.ends(path, "take", "parameters"):
		return rules.PlaceParameter, ""
	case r.ends(path, "take", "parameters", "ready"):
		return rules.PlaceParameter, "ready."
	case r.ends(path, "take", "facts"):
		return rules.PlaceFact, ""
	case r.ends(path, "start", "facts"):
		return rules.PlaceStart, ""
	case r.ends(path, "creatures", "facts"):
		return rules.PlaceJoin, ""
	}
	return "", ""
}

// expected renames the counter or mark that a path into the state ends with.
func (r *renaming) expected(key, value *yaml.Node) {
	for _, place := range []string{rules.PlaceCounter, rules.PlaceMark} {
		if head, name, ok := strings.Cut(key.Value, "."+place+"s."); ok && strings.Count(head, ".") <= 2 {
			r.renamed(place, head+"."+place+"s.", name, key, value)
		}
	}
}

// named renames a key that is a name, unless it is a word of today.
func (r *renaming) named(place, prefix, action string, key, value *yaml.Node) {
	if prefix != "" || r.words == nil || r.words.Find(place, action, key.Value) == nil || place == rules.PlaceMark || place == rules.PlaceParameter {
		r.renamed(place, "", prefix+key.Value, key, value)
	}
}

// renamed notes what becomes of a name and its value; before stands before the name
// in the key.
func (r *renaming) renamed(place, before, name string, key, value *yaml.Node) {
	said := ""
	if value != nil {
		said = value.Value
	}
	row, now := r.table.Find(place, name, said)
	switch {
	case row == nil:
		return
	case now == "" || row.To != place || row.Kept || strings.HasSuffix(now, "SIZE") || row.Variant != "":
		r.leave(key, "%s %s: now %s; %s", place, name, row.NewWords(), row.Note)
		return
	}
	if i := strings.LastIndex(name, "."); place == rules.PlaceParameter && i > 0 {
		now = strings.TrimPrefix(now, name[:i+1])
	}
	if before+now != key.Value {
		r.changes = append(r.changes, change{key, before + now})
	}
	if row.NewValue != "" && value != nil {
		text := row.NewValue
		if place == rules.PlaceMark {
			text = `"` + text + `"` // a mark is text, and true alone is not
		}
		r.changes = append(r.changes, change{value, text})
	}
}

// write makes the changes from the end of the text on, so that none moves another,
// and tells how many.
func (r *renaming) write() int {
	slices.SortStableFunc(r.changes, func(a, b change) int {
		if a.node.Line != b.node.Line {
			return b.node.Line - a.node.Line
		}
		return b.node.Column - a.node.Column
	})
	done := 0
	for _, c := range r.changes {
		if c.node.Line > len(r.lines) {
			continue
		}
		line := []rune(r.lines[c.node.Line-1])
		at := min(max(c.node.Column-1, 0), len(line))
		old := c.node.Value
		if c.node.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0 && at < len(line) {
			old = string(line[at]) + old + string(line[at])
		}
		rest, ok := strings.CutPrefix(string(line[at:]), old)
		if !ok || c.node.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
			r.leave(c.node, "%s: now %s; change it by hand", c.node.Value, c.new)
			continue
		}
		r.lines[c.node.Line-1] = string(line[:at]) + c.new + rest
		done++
	}
	return done
}
