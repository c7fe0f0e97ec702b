package scenario

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"go.yaml.in/yaml/v3"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Parse reads every scenario of a file. The name stands in messages. Sheets
// that the file refers to are not opened: see [Scenario.Resolve]. The error is
// a *ParseError with every mistake and its line.
func Parse(name string, data []byte) ([]*Scenario, error) {
	p := &parser{file: name}
	if len(data) > MaxBytes {
		p.bad(nil, "larger than %d bytes", MaxBytes)
		return nil, p.err()
	}
	dec := yaml.NewDecoder(bytes.NewReader(data))
	var out []*Scenario
	for {
		var doc yaml.Node
		err := dec.Decode(&doc)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			p.bad(nil, "not YAML: %s", strings.TrimPrefix(err.Error(), "yaml: "))
			break
		}
		if len(doc.Content) == 0 || isNull(doc.Content[0]) {
			continue
		}
		x := &expander{}
		root := x.expand(doc.Content[0], 0)
		if x.err != nil {
			p.bad(doc.Content[0], "%v", x.err)
			break
		}
		out = append(out, p.scenario(root))
	}
	if len(out) == 0 && len(p.problems) == 0 {
		p.bad(nil, "holds no scenario")
	}
	if err := p.err(); err != nil {
		return nil, err
	}
	return out, nil
}

func (p *parser) scenario(n *yaml.Node) *Scenario {
	s := &Scenario{File: p.file, Line: n.Line, DicePolicy: eventv1.DicePolicy_DICE_POLICY_SUPPLIED}
	ok := p.mapping(n, "scenario", keyed{
		"title":    func(v *yaml.Node) { s.Title = p.text(v, "title") },
		"about":    func(v *yaml.Node) { s.About = p.text(v, "about") },
		"system":   func(v *yaml.Node) { s.System = p.text(v, "system") },
		"preset":   func(v *yaml.Node) { s.Preset = p.text(v, "preset") },
		"settings": func(v *yaml.Node) { s.Settings = p.settings(v) },
		"dice_policy": func(v *yaml.Node) {
			if c := (&eventv1.CreateEncounter{}); p.one(v, c, "dice_policy", "") {
				s.DicePolicy = c.DicePolicy
			}
		},
		"repeat_policy": func(v *yaml.Node) {
			if c := (&eventv1.CreateEncounter{}); p.one(v, c, "repeat_policy", "") {
				s.RepeatPolicy = c.RepeatPolicy
			}
		},
		"rules": func(v *yaml.Node) { s.Rules = p.texts(v, "rules") },
		"packs": func(v *yaml.Node) {
			for i, item := range p.items(v) {
				s.Packs = append(s.Packs, &Pack{Line: item.Line, Ref: p.text(item, fmt.Sprintf("packs[%d]", i))})
			}
		},
		"patients": func(v *yaml.Node) {
			for i, item := range p.items(v) {
				s.Patients = append(s.Patients, p.patient(item, fmt.Sprintf("patients[%d]", i)))
			}
		},
		"creatures": func(v *yaml.Node) {
			for i, item := range p.items(v) {
				s.Creatures = append(s.Creatures, p.creature(item, fmt.Sprintf("creatures[%d]", i)))
			}
		},
		"steps": func(v *yaml.Node) {
			for i, item := range p.items(v) {
				s.Steps = append(s.Steps, p.step(item, fmt.Sprintf("step %d", i+1)))
			}
		},
	})
	if ok {
		p.complete(n, s)
	}
	return s
}

// complete checks what only the whole document shows.
func (p *parser) complete(n *yaml.Node, s *Scenario) {
	if s.Title == "" {
		p.bad(n, "scenario: title is missing")
	}
	if s.System == "" {
		p.bad(n, "scenario: system is missing")
	}
	if len(s.Steps) == 0 {
		p.bad(n, "scenario: steps are missing")
	}
	names := map[string]bool{}
	for _, c := range s.Creatures {
		if names[c.ID] {
			p.bad(&yaml.Node{Line: c.Line}, "creatures: there are two of id %q", c.ID)
		}
		names[c.ID] = true
	}
	s.needsEncounter = len(s.Creatures) > 0 || len(s.Patients) == 0
	began := 0 // the step that began the fight
	for i, st := range s.Steps {
		if st.Kind == KindFight {
			began = i + 1
		}
		if st.Kind != KindTend && st.Kind != KindState && st.Kind != KindAnswer {
			s.needsEncounter = true
		}
		s.rules = s.rules || st.ToStep > 0
		if st.ToStep > i {
			p.bad(&yaml.Node{Line: st.Line}, "step %d: a ruling is about an earlier step, not step %d", i+1, st.ToStep)
		}
		if st.ToStep > 0 && st.ToStep < began {
			p.bad(&yaml.Node{Line: st.Line}, "step %d: step %d is of an earlier fight", i+1, st.ToStep)
		}
	}
}

// settings reads values as they are written, so that on needs no quotes.
func (p *parser) settings(n *yaml.Node) map[string]string {
	out := map[string]string{}
	p.pairs(n, "settings", func(key, value *yaml.Node) {
		out[key.Value] = switchWord(p.text(value, "settings."+key.Value), value)
	})
	return out
}

// switchWord lets a switch be written as true and false.
func switchWord(text string, n *yaml.Node) string {
	if n.ShortTag() == "!!bool" {
		if strings.EqualFold(text, "true") {
			return "on"
		}
		return "off"
	}
	return text
}
