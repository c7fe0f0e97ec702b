package scenario

import (
	"strings"

	"go.yaml.in/yaml/v3"
	"google.golang.org/protobuf/reflect/protoreflect"

	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// deeds are the steps that are commands of the encounter service as they are.
var deeds = []string{"start", "take", "together", "end_turn", "remove", "reveal", "edit", "set", "order", "end", "redo"}

func (p *parser) step(n *yaml.Node, what string) *Step {
	s := &Step{Line: n.Line, As: viewer("gm")}
	var did []string
	doing := func(name string, fn func(v *yaml.Node)) func(*yaml.Node) {
		return func(v *yaml.Node) {
			did = append(did, name)
			fn(v)
		}
	}
	known := keyed{
		"title":   func(v *yaml.Node) { s.Title = p.text(v, what+".title") },
		"as":      func(v *yaml.Node) { s.As = viewer(p.text(v, what+".as")) },
		"dice":    func(v *yaml.Node) { s.Dice = p.faces(v, what+".dice") },
		"answers": func(v *yaml.Node) { s.Answers = p.answers(v, what+".answers") },
		"roll_mode": func(v *yaml.Node) {
			if c := (&eventv1.Command{}); p.one(v, c, "roll_mode", what) {
				s.RollMode = c.RollMode
			}
		},
		"odds":   func(v *yaml.Node) { s.Odds = p.odds(v, what+".odds") },
		"expect": func(v *yaml.Node) { s.Expect = p.expect(v, what+".expect", s.Expect) },
		"as_seen_by": func(v *yaml.Node) {
			p.pairs(v, what+".as_seen_by", func(key, value *yaml.Node) {
				s.Seen = append(s.Seen, Seen{viewer(key.Value), p.expect(value, what+".as_seen_by."+key.Value, nil)})
			})
		},
		"answer": doing("answer", func(v *yaml.Node) {
			s.Kind, s.Answer = KindAnswer, p.namedAnswer(v, what+".answer")
		}),
		"add": doing("add", func(v *yaml.Node) {
			s.Kind, s.Creature = KindAdd, p.creature(v, what+".add")
		}),
		"tend": doing("tend", func(v *yaml.Node) {
			deed := &eventv1.PatientCommand{}
			p.message(v, deed, what+".tend")
			s.Kind, s.Command = KindTend, &eventv1.Command{What: &eventv1.Command_Patient{Patient: deed}}
		}),
		"options": doing("options", func(v *yaml.Node) {
			s.Kind, s.Options = KindOptions, &encounterv1.GetOptionsRequest{}
			p.message(v, s.Options, what+".options")
		}),
		"fight": doing("fight", func(v *yaml.Node) {
			s.Kind, s.Fight = KindFight, &eventv1.CreateEncounter{}
			p.message(v, s.Fight, what+".fight")
			if f := s.Fight; f.Encounter != "" || f.Table != "" || f.System != "" || len(f.Packs) > 0 {
				p.bad(v, "%s.fight: a further fight has the table, the system and the packs of the scenario, and a name of its own", what)
			}
		}),
		"state": doing("state", func(v *yaml.Node) {
			s.Kind = KindState
			s.Expect = orExpect(s.Expect, v)
			s.Expect.State = append(s.Expect.State, p.state(v, what+".state")...)
		}),
	}
	for _, ruling := range []string{"revert", "amend"} {
		known[ruling] = doing(ruling, func(v *yaml.Node) {
			s.Kind, s.ToStep = KindCommand, takeStep(p, v, what+"."+ruling)
			s.Command = p.command(v, ruling, what+"."+ruling)
		})
	}
	for _, deed := range deeds {
		known[deed] = doing(deed, func(v *yaml.Node) {
			s.Kind, s.Command = KindCommand, p.command(v, deed, what+"."+deed)
		})
	}
	if p.mapping(n, what, known) {
		p.stepComplete(n, s, what, did)
	}
	return s
}

// takeStep takes the key "step" out of a ruling: the number of a step of this
// scenario in place of the server's own number.
func takeStep(p *parser, n *yaml.Node, what string) int {
	for i := 0; n.Kind == yaml.MappingNode && i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value != "step" {
			continue
		}
		step := int(p.int32(n.Content[i+1], what+".step"))
		if step < 1 {
			p.bad(n.Content[i+1], "%s.step: steps are numbered from 1", what)
		}
		n.Content = append(n.Content[:i:i], n.Content[i+2:]...)
		return step
	}
	return 0
}

func (p *parser) stepComplete(n *yaml.Node, s *Step, what string, did []string) {
	switch {
	case len(did) > 1:
		p.bad(n, "%s: one step does one thing, this one does %s", what, strings.Join(did, " and "))
	case len(did) == 0 && s.Expect == nil && s.Odds == nil && s.Seen == nil:
		p.bad(n, "%s: does nothing and expects nothing", what)
	case len(did) == 0:
		s.Kind = KindState
	}
	acts := s.Kind != KindState && s.Kind != KindOptions && s.Kind != KindFight
	if !acts && (s.Dice != nil || s.Answers != nil || s.RollMode != 0) {
		p.bad(n, "%s: dice, answers and roll_mode need something that takes them", what)
	}
	if s.Kind == KindState && s.Expect != nil && s.Expect.Error != nil {
		p.bad(n, "%s: a step that does nothing cannot end in an error", what)
	}
	if s.Kind != KindOptions && s.Expect != nil && (s.Expect.Options != nil || s.Expect.NoOptions != nil) {
		p.bad(n, "%s: options can be expected of a step with options", what)
	}
	if s.Title == "" {
		s.Title = stepTitle(s, did)
	}
}

// stepTitle says what a step does when the file does not.
func stepTitle(s *Step, did []string) string {
	word := strings.Join(did, "")
	switch {
	case s.Answer != nil:
		return strings.TrimSpace("answer " + s.Answer.Decision + " " + s.Answer.Creature)
	case s.Creature != nil:
		return "add " + s.Creature.ID
	case s.Command.GetTake() != nil:
		t := s.Command.GetTake()
		return strings.Join(nonEmpty(t.Creature, t.Action, t.Item, strings.Join(t.Targets, ", ")), " ")
	case s.Command.GetEndTurn() != nil:
		return strings.TrimSpace("end turn " + s.Command.GetEndTurn().Creature)
	case s.Command.GetPatient() != nil:
		c := s.Command.GetPatient()
		return strings.TrimSpace("tend: " + c.Deed + " " + strings.Join(c.Patients, ", "))
	case word == "":
		return "look"
	}
	return word
}

func nonEmpty(words ...string) []string {
	var out []string
	for _, w := range words {
		if w != "" {
			out = append(out, w)
		}
	}
	return out
}

// command reads one of the commands under the name of its field in the contracts.
func (p *parser) command(n *yaml.Node, name, what string) *eventv1.Command {
	cmd := &eventv1.Command{}
	m := cmd.ProtoReflect()
	fd := m.Descriptor().Fields().ByName(protoreflect.Name(name))
	p.message(n, m.Mutable(fd).Message().Interface(), what)
	return cmd
}

func (p *parser) namedAnswer(n *yaml.Node, what string) *NamedAnswer {
	a := &NamedAnswer{Answer: &eventv1.Answer{}}
	known := p.answerKeys(a.Answer, what)
	known["decision"] = func(v *yaml.Node) { a.Decision = p.text(v, what+".decision") }
	known["creature"] = func(v *yaml.Node) { a.Creature = p.text(v, what+".creature") }
	known["alike"] = func(v *yaml.Node) { a.Alike = switchWord(p.text(v, what+".alike"), v) == "on" }
	known["label"] = func(v *yaml.Node) { a.Label = p.text(v, what+".label") }
	known["answer"] = func(v *yaml.Node) { p.message(v, a.Answer, what+".answer") }
	if p.mapping(n, what, known) && a.Decision == "" {
		p.bad(n, "%s: decision is missing", what)
	}
	return a
}

func (p *parser) answerKeys(a *eventv1.Answer, what string) keyed {
	return keyed{
		"option": func(v *yaml.Node) { a.Option = p.text(v, what+".option") },
		"number": func(v *yaml.Node) { a.Number = p.int32(v, what+".number") },
		"faces":  func(v *yaml.Node) { a.Faces = p.faces(v, what+".faces") },
	}
}

// answers reads early answers: a list of {decision, creature, option}, or a
// mapping from decision name, or NAME/CREATURE, to the answer.
func (p *parser) answers(n *yaml.Node, what string) []*eventv1.EarlyAnswer {
	var out []*eventv1.EarlyAnswer
	if n.Kind == yaml.SequenceNode {
		for _, item := range n.Content {
			a := p.namedAnswer(item, what)
			out = append(out, &eventv1.EarlyAnswer{Decision: a.Decision, Creature: a.Creature, Answer: a.Answer})
		}
		return out
	}
	p.pairs(n, what, func(key, value *yaml.Node) {
		name, creature, _ := strings.Cut(key.Value, "/")
		out = append(out, &eventv1.EarlyAnswer{Decision: name, Creature: creature, Answer: p.shortAnswer(value, what+"."+key.Value)})
	})
	return out
}

// shortAnswer reads an answer from one value: the kind of the decision, which
// only the server knows, picks the field that counts.
func (p *parser) shortAnswer(n *yaml.Node, what string) *eventv1.Answer {
	a := &eventv1.Answer{}
	switch {
	case n.Kind == yaml.SequenceNode:
		a.Faces = p.faces(n, what)
	case n.Kind == yaml.MappingNode:
		p.mapping(n, what, p.answerKeys(a, what))
	case n.ShortTag() == "!!int":
		a.Number, a.Option = p.int32(n, what), n.Value
	default:
		a.Option = p.text(n, what)
	}
	return a
}
