package client

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// FieldType is what sort of value a field takes.
type FieldType string

// The types of fields; Any takes values of several.
const (
	TypeString    FieldType = "string"
	TypeStrings   FieldType = "strings"
	TypeNumber    FieldType = "number"
	TypeBoolean   FieldType = "boolean"
	TypePath      FieldType = "path"
	TypeCreature  FieldType = "creature"
	TypeCreatures FieldType = "creatures"
	TypeObject    FieldType = "object"
	TypeAny       FieldType = "any"
)

var fieldTypes = []FieldType{TypeString, TypeStrings, TypeNumber, TypeBoolean, TypePath, TypeCreature, TypeCreatures, TypeObject}

// Field is one thing that a form asks.
type Field struct {
	// Name in the command, and where the command says it: "parameters" or "facts".
	Name string `json:"name"`
	In   string `json:"in"`
	// Type of its value.
	Type FieldType `json:"type"`
	// Required: it must be given.
	Required bool `json:"required"`
	// Choices are the values to choose from, as JSON has them; none where they are free.
	Choices []any `json:"choices"`
	// Text are words for people.
	Text string `json:"text"`
	// Matter is whose it is to say: "world" is the game master's, and a claim from
	// anybody else.
	Matter string `json:"matter"`
	// Minimum and Maximum of a number, where they are fixed; otherwise nil.
	Minimum *int32 `json:"minimum,omitempty"`
	Maximum *int32 `json:"maximum,omitempty"`
}

// Cost is what an option takes of a counter.
type Cost struct {
	Counter string `json:"counter"`
	Amount  int32  `json:"amount"`
}

// Targets are those that may be named, and how many; a maximum of 0 is none.
type Targets struct {
	Choices []string `json:"choices"`
	Minimum int32    `json:"minimum"`
	Maximum int32    `json:"maximum"`
}

// Form is an option as a form: made of what the contracts say alone, without a word of
// any rule system. What a form can not know (a way, words, a number without ends) the
// server decides.
type Form struct {
	// Creature, action and item of the command.
	Creature string `json:"creature"`
	Action   string `json:"action"`
	Item     string `json:"item"`
	// Title are words for people, Group the heading under which it is listed.
	Title string `json:"title"`
	Group string `json:"group"`
	// Legal tells whether it may be done, Reason why not, Rule the rule behind either.
	Legal  bool   `json:"legal"`
	Reason string `json:"reason"`
	Rule   string `json:"rule"`
	// Costs without what is free, in the order of the names.
	Costs   []Cost  `json:"costs"`
	Targets Targets `json:"targets"`
	Fields  []Field `json:"fields"`
	Facts   []Field `json:"facts"`
	// Provokes are those that it would provoke.
	Provokes []string `json:"provokes"`
	// Squares are where a move can end, as far as they are listed; SquaresCut says
	// that there are more.
	Squares    []*eventv1.Square `json:"-"`
	SquaresCut bool              `json:"squaresCut"`
	// Area is where it takes effect; nil where it has none.
	Area *Area `json:"area,omitempty"`
	// EndsTurn: it ends the turn, which is a command of its own.
	EndsTurn bool `json:"endsTurn"`
	// Choices are what may be chosen inside: one of them must be. Each asks for all,
	// the fields outside included.
	Choices []Form `json:"choices"`
}

const (
	inParameters = "parameters"
	inFacts      = "facts"
	// chosen is the parameter in which the action stands that is chosen inside an option.
	chosen = "action"
	// endTurn is the one option that is a command of its own.
	endTurn = "end-turn"
)

// Area is where an option takes effect.
type Area struct {
	// Shape is sphere, cylinder, cube, cone or line.
	Shape string `json:"shape"`
	// Feet is its radius, side or length, feet.
	Feet int32 `json:"feet"`
	// WidthFeet is the width of a line, and of a cone at its end, feet.
	WidthFeet int32 `json:"widthFeet"`
	// Origin says where it lies: about the first "target", or begins at the "actor" and
	// points at the first target.
	Origin string `json:"origin"`
}

func areaOf(a *eventv1.Area) *Area {
	if a == nil {
		return nil
	}
	return &Area{Shape: a.Shape, Feet: a.Feet, WidthFeet: a.WidthFeet, Origin: a.Origin}
}

// FormOf is an option as a form.
func FormOf(o *eventv1.Option) Form {
	form := plainForm(o)
	for _, c := range o.GetChoices() {
		form.Choices = append(form.Choices, inside(o, c))
	}
	return form
}

func plainForm(o *eventv1.Option) Form {
	form := Form{
		Creature: o.GetCreature(), Action: o.GetAction(), Item: o.GetItem(), Title: o.GetTitle(), Group: o.GetGroup(),
		Legal: o.GetLegal(), Reason: o.GetReason(), Rule: o.GetRule(), Costs: []Cost{},
		Targets: Targets{Choices: listed(o.GetTargets()), Minimum: o.GetMinimumTargets(), Maximum: o.GetMaximumTargets()},
		Fields:  fieldsOf(o.GetParameters(), inParameters), Facts: fieldsOf(o.GetFacts(), inFacts),
		Provokes: listed(o.GetProvokes()), Squares: o.GetSquares(), SquaresCut: o.GetSquaresCut(), Area: areaOf(o.GetArea()),
		EndsTurn: o.GetAction() == endTurn, Choices: []Form{},
	}
	for _, counter := range slices.Sorted(maps.Keys(o.GetCosts())) {
		if n := o.Costs[counter]; n != 0 {
			form.Costs = append(form.Costs, Cost{counter, n})
		}
	}
	return form
}

// listed is a list that is never nil, and nobody else's.
func listed(list []string) []string { return append([]string{}, list...) }

func fieldsOf(parameters []*eventv1.Parameter, in string) []Field {
	out := make([]Field, 0, len(parameters))
	for _, p := range parameters {
		f := Field{Name: p.GetName(), In: in, Type: FieldType(p.GetType()), Required: p.GetRequired(), Choices: []any{}, Text: p.GetText(), Matter: p.GetMatter()}
		if !slices.Contains(fieldTypes, f.Type) {
			f.Type = TypeAny
		}
		for _, v := range p.GetValues() {
			f.Choices = append(f.Choices, v.AsInterface())
		}
		if p.GetType() == string(TypeNumber) && (p.GetMinimum() != 0 || p.GetMaximum() != 0) {
			least, most := p.GetMinimum(), p.GetMaximum()
			f.Minimum, f.Maximum = &least, &most
		}
		out = append(out, f)
	}
	return out
}

// inside is an option as one of its choices has it: item, targets and fields of the
// choice beside its own.
func inside(outer, choice *eventv1.Option) Form {
	out, of := plainForm(outer), plainForm(choice)
	fields := slices.DeleteFunc(out.Fields, func(f Field) bool { return f.Name == chosen })
	out.Fields = []Field{}
	if choice.GetAction() != outer.GetAction() {
		out.Fields = append(out.Fields, Field{Name: chosen, In: inParameters, Type: TypeString, Required: true,
			Choices: []any{choice.GetAction()}, Text: choice.GetTitle(), Matter: "actor"})
	}
	out.Fields = append(out.Fields, both(fields, of.Fields)...)
	out.Facts = both(out.Facts, of.Facts)
	out.Item, out.Title, out.Rule = of.Item, cmp.Or(of.Title, out.Title), cmp.Or(of.Rule, out.Rule)
	out.Targets, out.Legal, out.Reason = of.Targets, out.Legal && of.Legal, cmp.Or(out.Reason, of.Reason)
	for _, id := range of.Provokes {
		if !slices.Contains(out.Provokes, id) {
			out.Provokes = append(out.Provokes, id)
		}
	}
	if len(of.Squares) > 0 {
		out.Squares = of.Squares
	}
	out.SquaresCut = of.SquaresCut || out.SquaresCut
	out.Area = cmp.Or(of.Area, out.Area)
	return out
}

// both are the fields of an option that a choice does not have, and then the choice's.
func both(mine, others []Field) []Field {
	out := make([]Field, 0, len(mine)+len(others))
	for _, f := range mine {
		if !slices.ContainsFunc(others, func(o Field) bool { return o.Name == f.Name }) {
			out = append(out, f)
		}
	}
	return append(out, others...)
}

// Problem is a field of a form that is not filled as it must be.
type Problem struct {
	// Field is "targets", "choice", "answer", or "fields.NAME" and "facts.NAME".
	Field string `json:"field"`
	// Text says what is wrong with it.
	Text string `json:"text"`
}

// FormError is a form that is not filled as it must be.
type FormError struct{ Problems []Problem }

// Error implements error.
func (e *FormError) Error() string {
	texts := make([]string, 0, len(e.Problems))
	for _, p := range e.Problems {
		texts = append(texts, p.Field+": "+p.Text)
	}
	return "client: " + strings.Join(texts, "; ")
}

// Values are what somebody filled into a form.
type Values struct {
	Targets []string
	// Fields and Facts by name, as JSON has values: strings, numbers, booleans, lists
	// and maps.
	Fields, Facts map[string]any
	// Path is the way through space; the last point is where it ends.
	Path          []*eventv1.Position
	Circumstances []*eventv1.Circumstance
	// Faces rolled by hand, in rolling order.
	Faces []int32
	// Answers ahead to what the action will meet.
	Answers  []*eventv1.EarlyAnswer
	RollMode eventv1.RollMode
}

// Problems are what is wrong with what was filled in, as far as the form can tell.
func (f Form) Problems(v Values) []Problem {
	switch {
	case f.EndsTurn:
		return nil
	case len(f.Choices) > 0:
		return []Problem{{"choice", "fill in one of the choices of the form"}}
	}
	var out []Problem
	var strange []string
	for _, id := range v.Targets {
		if len(f.Targets.Choices) > 0 && !slices.Contains(f.Targets.Choices, id) {
			strange = append(strange, id)
		}
	}
	if len(strange) > 0 {
		out = append(out, Problem{"targets", "not among those that may be named: " + strings.Join(strange, ", ")})
	}
	if len(v.Targets) < int(f.Targets.Minimum) {
		out = append(out, Problem{"targets", fmt.Sprintf("at least %d", f.Targets.Minimum)})
	}
	if f.Targets.Maximum > 0 && len(v.Targets) > int(f.Targets.Maximum) {
		out = append(out, Problem{"targets", fmt.Sprintf("at most %d", f.Targets.Maximum)})
	}
	out = append(out, problemsIn("fields.", f.Fields, v.Fields, v)...)
	return append(out, problemsIn("facts.", f.Facts, v.Facts, v)...)
}

func problemsIn(group string, fields []Field, given map[string]any, v Values) []Problem {
	var out []Problem
	for _, f := range fields {
		if text := f.wrong(given, v); text != "" {
			out = append(out, Problem{group + f.Name, text})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if !slices.ContainsFunc(fields, func(f Field) bool { return f.Name == name }) {
			out = append(out, Problem{group + name, "the form does not ask this"})
		}
	}
	return out
}

// plainValue is a value as JSON has it; false for what JSON does not have.
func plainValue(v any) (out any, ok bool) {
	data, err := json.Marshal(v)
	return out, err == nil && json.Unmarshal(data, &out) == nil
}
