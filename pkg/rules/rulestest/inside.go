package rulestest

import (
	"google.golang.org/protobuf/types/known/structpb"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// inside is an option as one of its choices has it: with the item, the targets and
// the parameters of the choice beside its own. One without choices is itself.
func (p *Play) inside(o *eventv1.Option) *eventv1.Option {
	if len(o.Choices) == 0 {
		return o
	}
	c := Pick(p.Chance, o.Choices)
	in := &eventv1.Option{Creature: o.Creature, Action: o.Action, Item: c.Item, Legal: o.Legal, Rule: c.Rule, Targets: c.Targets,
		MinimumTargets: c.MinimumTargets, MaximumTargets: c.MaximumTargets}
	if c.Action != o.Action {
		in.Parameters = append(in.Parameters, &eventv1.Parameter{Name: "action", Type: "string", Required: true,
			Values: []*structpb.Value{structpb.NewStringValue(c.Action)}})
	}
	for _, x := range o.Parameters {
		if parameterOf(c, x.Name) == nil && x.Name != "action" {
			in.Parameters = append(in.Parameters, x)
		}
	}
	in.Parameters = append(in.Parameters, c.Parameters...)
	return in
}

func parameterOf(o *eventv1.Option, name string) *eventv1.Parameter {
	for _, x := range o.Parameters {
		if x.Name == name {
			return x
		}
	}
	return nil
}
