package autoplay

import (
	"slices"

	"google.golang.org/protobuf/types/known/structpb"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Flat lists every option as each of its choices has it, so that none is left
// with choices inside.
func Flat(options []*eventv1.Option) []*eventv1.Option {
	var out []*eventv1.Option
	for _, o := range options {
		if len(o.Choices) == 0 {
			out = append(out, o)
			continue
		}
		for _, c := range o.Choices {
			out = append(out, inside(o, c))
		}
	}
	return out
}

// inside is an option as one of its choices has it: with the item, the targets
// and the parameters of the choice beside its own. Which action was chosen is a
// parameter, where it is another than the option's.
func inside(o, c *eventv1.Option) *eventv1.Option {
	in := &eventv1.Option{Creature: o.Creature, Action: o.Action, Title: o.Title, Item: c.Item, Costs: o.Costs, Legal: o.Legal, Reason: o.Reason,
		Rule: c.Rule, Targets: c.Targets, MinimumTargets: c.MinimumTargets, MaximumTargets: c.MaximumTargets, Group: o.Group}
	if c.Action != o.Action {
		in.Parameters = append(in.Parameters, &eventv1.Parameter{Name: chosen, Type: "string", Required: true,
			Values: []*structpb.Value{structpb.NewStringValue(c.Action)}})
	}
	for _, x := range o.Parameters {
		if x.Name != chosen && !slices.ContainsFunc(c.Parameters, func(y *eventv1.Parameter) bool { return y.Name == x.Name }) {
			in.Parameters = append(in.Parameters, x)
		}
	}
	in.Parameters = append(in.Parameters, c.Parameters...)
	return in
}

// chosen is the parameter that names the action of a choice.
const chosen = "action"

// ranged tells whether a parameter is a number between fixed ends.
func ranged(x *eventv1.Parameter) bool {
	return x.Type == "number" && (x.Minimum != 0 || x.Maximum != 0) && x.Minimum <= x.Maximum
}
