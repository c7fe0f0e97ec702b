package scenario

import (
	"errors"
	"fmt"

	"go.yaml.in/yaml/v3"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/sheet"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// creature reads a creature: a sheet, what differs from it, and how it joins.
func (p *parser) creature(n *yaml.Node, what string) *Creature {
	c := &Creature{Line: n.Line, Add: &eventv1.AddCreature{}, lists: map[string][]string{}}
	known := p.creatureKeys(c, what)
	known["patient"] = func(v *yaml.Node) { c.Patient = p.text(v, what+".patient") }
	known["position"] = func(v *yaml.Node) { p.message(v, mutable(&c.Add.Position), what+".position") }
	known["facts"] = func(v *yaml.Node) { p.message(v, mutable(&c.Add.Facts), what+".facts") }
	known["staged"] = func(v *yaml.Node) { p.one(v, c.Add, "staged", what) }
	known["known_to"] = func(v *yaml.Node) { c.Add.KnownTo = p.texts(v, what+".known_to") }
	known["dice"] = func(v *yaml.Node) { c.Dice = p.faces(v, what+".dice") }
	known["answers"] = func(v *yaml.Node) { c.Answers = p.answers(v, what+".answers") }
	if p.mapping(n, what, known) {
		p.creatureComplete(n, c, what)
	}
	return c
}

// patient reads a patient: a sheet, what differs from it, and its vitals.
func (p *parser) patient(n *yaml.Node, what string) *Creature {
	c := &Creature{Line: n.Line, Add: &eventv1.AddCreature{}, lists: map[string][]string{}}
	known := p.creatureKeys(c, what)
	known["settings"] = func(v *yaml.Node) { c.Settings = p.settings(v) }
	if p.mapping(n, what, known) {
		p.creatureComplete(n, c, what)
	}
	return c
}

func (p *parser) creatureKeys(c *Creature, what string) keyed {
	field := func(key string) func(*yaml.Node) {
		return func(v *yaml.Node) { c.fields = append(c.fields, [2]string{key, p.text(v, what+"."+key)}) }
	}
	return keyed{
		"id":          func(v *yaml.Node) { c.ID = p.text(v, what+".id") },
		"name":        field("name"),
		"side":        field("side"),
		"controllers": func(v *yaml.Node) { c.lists["controllers"] = p.texts(v, what+".controllers") },
		"vitals":      func(v *yaml.Node) { p.message(v, mutable(&c.Add.Vitals), what+".vitals") },
		"with":        func(v *yaml.Node) { c.with = v },
		"sheet": func(v *yaml.Node) {
			if v.Kind == yaml.ScalarNode {
				c.Ref = p.text(v, what+".sheet")
				return
			}
			c.inline = v
		},
	}
}

// mutable makes sure that there is a message to read into.
func mutable[M any](at **M) *M {
	if *at == nil {
		*at = new(M)
	}
	return *at
}

func (p *parser) creatureComplete(n *yaml.Node, c *Creature, what string) {
	if c.ID == "" && c.inline != nil {
		c.ID = fieldText(c.inline, "id")
	}
	if c.ID == "" && c.Ref == "" {
		p.bad(n, "%s: id is missing", what)
	}
	if c.Ref == "" && c.inline == nil && c.Patient == "" {
		p.bad(n, "%s: sheet is missing", what)
	}
	// What is inline can be judged at once; what a reference adds, later.
	if c.inline != nil {
		p.resolve(c, c.inline, what)
	}
}

func fieldText(n *yaml.Node, key string) string {
	for i := 0; n.Kind == yaml.MappingNode && i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key && n.Content[i+1].Kind == yaml.ScalarNode {
			return n.Content[i+1].Value
		}
	}
	return ""
}

// resolve makes the sheet: the base, what the creature lays over it, its id.
func (p *parser) resolve(c *Creature, base *yaml.Node, what string) {
	at := &yaml.Node{Line: c.Line}
	if base.Kind != yaml.MappingNode {
		p.bad(base, "%s.sheet: want fields or a name, got %s", what, kindOf(base))
		return
	}
	if c.with != nil {
		if c.with.Kind != yaml.MappingNode {
			p.bad(c.with, "%s.with: want fields, got %s", what, kindOf(c.with))
			return
		}
		base = merge(base, c.with)
	}
	if c.ID == "" {
		c.ID = fieldText(base, "id")
	}
	base = setField(base, "id", c.ID)
	if !hasField(base, "name") {
		base = setField(base, "name", c.ID)
	}
	for _, f := range c.fields {
		base = setField(base, f[0], f[1])
	}
	if c.Patient != "" {
		base = setField(base, "patient", c.Patient)
	}
	s, err := sheet.FromNode(base, what+".sheet")
	if err != nil {
		var f *fault.Fault
		if !errors.As(err, &f) || len(f.Violations) == 0 {
			p.bad(at, "%s.sheet: %v", what, err)
			return
		}
		for _, v := range f.Violations {
			p.bad(at, "%s: %s", v.Field, v.Description)
		}
		return
	}
	if list, ok := c.lists["controllers"]; ok {
		s.Controllers = list
	}
	c.Add.Sheet = s
}

// OpenSheet returns the YAML or JSON text of a sheet that a scenario names.
type OpenSheet func(ref string) ([]byte, error)

// Resolve opens every sheet that the scenario refers to and checks what comes
// of it. The error is a *ParseError.
func (s *Scenario) Resolve(open OpenSheet) error {
	p := &parser{file: s.File}
	all := append(append([]*Creature{}, s.Patients...), s.Creatures...)
	for _, st := range s.Steps {
		if st.Creature != nil {
			all = append(all, st.Creature)
		}
	}
	cache := map[string]*yaml.Node{}
	for _, c := range all {
		if c.Ref == "" || c.Add.Sheet != nil {
			continue
		}
		base, err := openNode(cache, open, c.Ref)
		if err != nil {
			p.bad(&yaml.Node{Line: c.Line}, "sheet %q: %v", c.Ref, err)
			continue
		}
		p.resolve(c, base, "creature "+c.ID)
	}
	return p.err()
}

func openNode(cache map[string]*yaml.Node, open OpenSheet, ref string) (*yaml.Node, error) {
	if n, ok := cache[ref]; ok {
		return n, nil
	}
	data, err := open(ref)
	if err != nil {
		return nil, err
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(data, &doc); err != nil {
		return nil, err
	}
	if len(doc.Content) == 0 {
		return nil, fmt.Errorf("empty")
	}
	x := &expander{}
	n := x.expand(doc.Content[0], 0)
	if x.err != nil {
		return nil, x.err
	}
	cache[ref] = n
	return n, nil
}
