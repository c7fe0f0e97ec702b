package scenario

import (
	"math/big"
	"strings"

	"go.yaml.in/yaml/v3"
	"google.golang.org/protobuf/reflect/protoreflect"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
)

var (
	eventFields  = (&eventv1.Event{}).ProtoReflect().Descriptor().Fields()
	stateMessage = (&eventv1.State{}).ProtoReflect().Descriptor()
	patientFound = (&injuryv1.Patient{}).ProtoReflect().Descriptor()
	decisionOpen = (&eventv1.DecisionRequested{}).ProtoReflect().Descriptor().Fields().ByName("decision")
	optionFound  = (&eventv1.Option{}).ProtoReflect().Descriptor()
)

func orExpect(e *Expect, n *yaml.Node) *Expect {
	if e == nil {
		return &Expect{Line: n.Line}
	}
	return e
}

func (p *parser) expect(n *yaml.Node, what string, into *Expect) *Expect {
	e := orExpect(into, n)
	p.mapping(n, what, keyed{
		"events":    func(v *yaml.Node) { e.Events = p.events(v, what+".events") },
		"no_events": func(v *yaml.Node) { e.NoEvents = p.events(v, what+".no_events") },
		"state":     func(v *yaml.Node) { e.State = append(e.State, p.state(v, what+".state")...) },
		"decisions": func(v *yaml.Node) {
			e.decisionsGiven = true
			for _, item := range p.items(v) {
				e.Decisions = append(e.Decisions, p.single(item, decisionOpen, what+".decisions"))
			}
		},
		"options":    func(v *yaml.Node) { e.Options = p.options(v, what+".options") },
		"no_options": func(v *yaml.Node) { e.NoOptions = p.options(v, what+".no_options") },
		"error":      func(v *yaml.Node) { e.Error = p.errorExpected(v, what+".error") },
	})
	return e
}

func (p *parser) options(n *yaml.Node, what string) []pattern {
	out := []pattern{}
	for _, item := range p.items(n) {
		out = append(out, p.messagePattern(item, optionFound, what))
	}
	return out
}

// events reads expected events: each names one kind of event with the fields
// looked at, and may name rules and the audience beside it.
func (p *parser) events(n *yaml.Node, what string) []pattern {
	out := []pattern{}
	for _, item := range p.items(n) {
		out = append(out, p.event(item, what))
	}
	return out
}

func (p *parser) event(n *yaml.Node, what string) pattern {
	if n.Kind == yaml.ScalarNode && !isNull(n) { // the kind alone
		if fd := eventKind(n.Value); fd != nil {
			return fields{keys: []string{n.Value}, values: []pattern{fields{}}}
		}
	}
	var out fields
	kinds := 0
	p.pairs(n, what, func(key, value *yaml.Node) {
		fd := eventKind(key.Value)
		switch {
		case fd != nil:
			kinds++
			out.keys = append(out.keys, key.Value)
			out.values = append(out.values, p.messagePattern(value, fd.Message(), what+"."+key.Value))
		case key.Value == "rules":
			out.keys = append(out.keys, "rules")
			out.values = append(out.values, p.free(value, what+".rules"))
		case key.Value == "audience":
			p.audience(value, what+".audience", &out)
		default:
			p.bad(key, "%s: no kind of event is called %q; there are %s, and rules and audience beside them", what, excerpt(key.Value), eventKinds())
		}
	})
	if kinds != 1 && len(p.problems) == 0 {
		p.bad(n, "%s: an event has one kind, this has %d", what, kinds)
	}
	return out
}

// audience reads "everyone", "gm" or a list of creatures.
func (p *parser) audience(n *yaml.Node, what string, into *fields) {
	into.keys = append(into.keys, "audience")
	if n.Kind == yaml.SequenceNode {
		creatures := list{}
		for _, item := range n.Content {
			creatures = append(creatures, scalar{p.text(item, what)})
		}
		into.values = append(into.values, fields{keys: []string{"kind", "creatures"}, values: []pattern{scalar{"creatures"}, creatures}})
		return
	}
	word := p.text(n, what)
	if word != "everyone" && word != "gm" {
		p.bad(n, "%s: want everyone, gm or a list of creatures, got %s", what, kindOf(n))
	}
	into.values = append(into.values, fields{keys: []string{"kind"}, values: []pattern{scalar{word}}})
}

func eventKind(name string) protoreflect.FieldDescriptor {
	fd := eventFields.ByName(protoreflect.Name(name))
	if fd == nil || fd.ContainingOneof() == nil {
		return nil
	}
	return fd
}

func eventKinds() string {
	var out []string
	for i := range eventFields.Len() {
		if fd := eventFields.Get(i); fd.ContainingOneof() != nil {
			out = append(out, string(fd.Name()))
		}
	}
	return strings.Join(out, ", ")
}

// state reads expectations by path; "patients.ID..." looks at a record.
func (p *parser) state(n *yaml.Node, what string) []StateAt {
	var out []StateAt
	p.pairs(n, what, func(key, value *yaml.Node) {
		at := StateAt{Line: key.Line, Path: key.Value}
		path, err := parsePath(key.Value)
		if err != nil {
			p.bad(key, "%s: %v", what, err)
			return
		}
		root := stateMessage
		if path[0].key == "patients" {
			if len(path) < 3 {
				p.bad(key, "%s: %q: want patients.ID.FIELD; there are %s", what, key.Value, fieldNames(patientFound))
				return
			}
			at.Patient, root, path = path[1].key, patientFound, path[2:]
		}
		to, err := checkPath(root, path)
		if err != nil {
			p.bad(key, "%s: %v", what, err)
			return
		}
		at.path = path
		switch {
		case isNull(value):
			at.want = nothing{}
		case to.length:
			at.want = scalar{text: big.NewInt(p.integer(value, what+"."+key.Value)).String()}
		case to.whole:
			at.want = p.pattern(value, to.fd, what+"."+key.Value)
		default:
			at.want = p.single(value, to.fd, what+"."+key.Value)
		}
		out = append(out, at)
	})
	return out
}

func (p *parser) errorExpected(n *yaml.Node, what string) *ErrorExpected {
	e := &ErrorExpected{}
	if n.Kind == yaml.ScalarNode {
		e.Reason = p.text(n, what)
		return e
	}
	p.mapping(n, what, keyed{
		"code": func(v *yaml.Node) {
			e.Code = strings.ReplaceAll(strings.ToLower(p.text(v, what+".code")), "_", "-")
			if !knownCode(e.Code) {
				p.bad(v, "%s.code: no gRPC code is called %q", what, excerpt(v.Value))
			}
		},
		"reason":  func(v *yaml.Node) { e.Reason = p.text(v, what+".reason") },
		"rule":    func(v *yaml.Node) { e.Rule = p.text(v, what+".rule") },
		"field":   func(v *yaml.Node) { e.Field = p.text(v, what+".field") },
		"message": func(v *yaml.Node) { e.Message = p.text(v, what+".message") },
	})
	return e
}

// odds reads {roll: 1d20+5, at_least: 15, is: 11/20}, a list of such, or the
// short form {"1d20+5 >= 15": 11/20, to-hit: 7/20}.
func (p *parser) odds(n *yaml.Node, what string) []Odds {
	var out []Odds
	for _, item := range p.items(n) {
		if hasField(item, "is") {
			out = append(out, p.oneOdds(item, what))
			continue
		}
		p.pairs(item, what, func(key, value *yaml.Node) {
			o := Odds{Line: key.Line, Is: p.fraction(value, what)}
			left, right, compared := strings.Cut(key.Value, ">=")
			if !compared {
				o.Label = key.Value
			} else {
				o.Roll = strings.TrimSpace(left)
				n := p.integer(&yaml.Node{Kind: yaml.ScalarNode, Value: strings.TrimSpace(right), Line: key.Line}, what)
				o.AtLeast = &n
			}
			out = append(out, o)
		})
	}
	return out
}

func (p *parser) oneOdds(n *yaml.Node, what string) Odds {
	o := Odds{Line: n.Line}
	number := func(into **int64, key string) func(*yaml.Node) {
		return func(v *yaml.Node) {
			n := p.integer(v, what+"."+key)
			*into = &n
		}
	}
	p.mapping(n, what, keyed{
		"roll":     func(v *yaml.Node) { o.Roll = p.text(v, what+".roll") },
		"label":    func(v *yaml.Node) { o.Label = p.text(v, what+".label") },
		"at_least": number(&o.AtLeast, "at_least"),
		"exactly":  number(&o.Exactly, "exactly"),
		"mean": func(v *yaml.Node) {
			if v.Decode(&o.Mean) != nil {
				p.bad(v, "%s.mean: want true or false, got %s", what, kindOf(v))
			}
		},
		"is": func(v *yaml.Node) { o.Is = p.fraction(v, what+".is") },
	})
	if (o.Roll == "") == (o.Label == "") {
		p.bad(n, "%s: want either roll or label", what)
	}
	if o.Roll != "" && o.AtLeast == nil && o.Exactly == nil && !o.Mean {
		p.bad(n, "%s: want at_least, exactly or mean", what)
	}
	return o
}

func (p *parser) fraction(n *yaml.Node, what string) string {
	text := p.text(n, what)
	if _, err := exact(text); err != nil && text != "" {
		p.bad(n, "%s: %q is no fraction such as 7/20", what, excerpt(text))
	}
	return text
}

// exact reads "7/20", "1" or "0.35".
func exact(text string) (*big.Rat, error) {
	const most = 4000 // digits; numbers of dice go far beyond 64 bits
	r := new(big.Rat)
	if len(text) > most || strings.ContainsAny(text, "eEpP") {
		return nil, errFraction
	}
	if _, ok := r.SetString(text); !ok {
		return nil, errFraction
	}
	return r, nil
}
