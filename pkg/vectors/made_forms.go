package vectors

import (
	"google.golang.org/protobuf/types/known/structpb"

	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// MadeForms are vectors of options and decisions that no rule system has in this way:
// every type of field with and without choices and bounds, names that a careless
// program trips over, an action within another one.
func MadeForms() ([]*Form, error) {
	value := func(v any) *structpb.Value {
		out, err := structpb.NewValue(v)
		if err != nil {
			return structpb.NewNullValue()
		}
		return out
	}
	var all []*eventv1.Parameter
	for _, kind := range []string{"string", "strings", "number", "boolean", "path", "creature", "creatures", "object", "any", "a type to come"} {
		all = append(all, &eventv1.Parameter{Name: kind, Type: kind, Text: "Free", Matter: "actor"})
	}
	all = append(all,
		&eventv1.Parameter{Name: "grip", Type: "string", Required: true, Values: []*structpb.Value{value("one"), value("two")}},
		&eventv1.Parameter{Name: "feet", Type: "number", Minimum: -5, Maximum: 30, Required: true},
		&eventv1.Parameter{Name: "bounds of a word", Type: "string", Minimum: 1, Maximum: 2},
		&eventv1.Parameter{Name: "constructor", Type: "string", Required: true, Values: []*structpb.Value{value("only")}},
		&eventv1.Parameter{Name: "shape", Type: "object", Values: []*structpb.Value{value(map[string]any{"a": 1, "b": []any{"<", nil}}), value(map[string]any{})}},
		&eventv1.Parameter{Name: "levels", Type: "any", Values: []*structpb.Value{value(1), value("1"), value(true), value(nil), value(1.5)}})
	swing := &eventv1.Option{Creature: "a", Action: "swing", Item: "pole", Title: "Swing", Legal: true, Rule: "rule.of.swing", Targets: []string{"b", "c"}, MinimumTargets: 1, MaximumTargets: 2,
		Provokes: []string{"b"}, Area: &eventv1.Area{Shape: "cube", Feet: 10, Origin: "target"}, Parameters: []*eventv1.Parameter{all[10], {Name: "action", Type: "string"}}, Facts: []*eventv1.Parameter{{Name: "cover", Type: "string", Matter: "world"}}}
	options := []*eventv1.Option{
		{},
		{Creature: "a", Action: "end-turn", Legal: true, MinimumTargets: 3},
		{Creature: "a", Action: "all", Group: "other", Costs: map[string]int32{"reaction": 1, "bonus": 0, "action": 2, "Z": -1}, Parameters: all, Facts: all[10:], MaximumTargets: 1, SquaresCut: true},
		{Creature: "a", Action: "free", Targets: []string{"b"}, MinimumTargets: 2, Parameters: []*eventv1.Parameter{{Name: "path", Type: "path", Required: true}}},
		swing,
		{Creature: "a", Action: "ready", Title: "Prepare", Rule: "rule.of.ready", Legal: true, Provokes: []string{"c"}, Area: &eventv1.Area{Shape: "line", Feet: 60, WidthFeet: 5, Origin: "actor"},
			Parameters: []*eventv1.Parameter{{Name: "action", Type: "string", Required: true}, {Name: "trigger", Type: "string", Required: true}, {Name: "grip", Type: "number"}},
			Choices:    []*eventv1.Option{swing, {Creature: "a", Action: "ready", Reason: "no"}, {Creature: "a", Action: "go", Legal: true, SquaresCut: true}}},
	}
	decisions := []*eventv1.Decision{
		{},
		{Id: "d", Name: "ask", Creature: "a", GmOnly: true, Question: "Well?", Cause: "so", Rule: "rule", Kind: eventv1.DecisionKind_DECISION_KIND_OPTION, DefaultOption: "no",
			Options: []*eventv1.DecisionOption{{Id: "yes", Rule: "rule.of.yes"}, {Id: "no", Text: "Let it go"}}, DeadlineUnixMillis: 1_700_000_000_123},
		{Id: "n", Kind: eventv1.DecisionKind_DECISION_KIND_NUMBER, Minimum: -1, Maximum: 3},
		{Id: "r", Kind: eventv1.DecisionKind_DECISION_KIND_DICE, Faces: 2, Expression: "2d6", Label: "attack/damage"},
		{Id: "r0", Kind: eventv1.DecisionKind_DECISION_KIND_DICE},
	}
	var out []*Form
	for i, o := range options {
		for seed := range uint64(4) {
			f, err := OfOption(o, seed+uint64(i)*100) //nolint:gosec // few
			if err != nil {
				return nil, err
			}
			out = append(out, f)
		}
	}
	for i, d := range decisions {
		for j, w := range []*encounterv1.Waiting{nil, {Otherwise: "so it goes"}, {ByDefault: "by itself", Otherwise: "so it goes"}} {
			f, err := OfDecision(d, w, uint64(i*10+j)) //nolint:gosec // few
			if err != nil {
				return nil, err
			}
			out = append(out, f)
		}
	}
	return out, nil
}
