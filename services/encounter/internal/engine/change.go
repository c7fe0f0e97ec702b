package engine

import (
	"slices"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/skaldrpg/skald/pkg/fault"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// change makes the command that a past action becomes by an amendment's
// changes. Faults name the field.
func change(was *eventv1.Command, am *eventv1.AmendCommand) (*eventv1.Command, error) {
	if am.Command != nil {
		return nil, fault.Field("command.amend.change", "give either a command or changes of the past one")
	}
	if was.GetTake() == nil {
		return nil, fault.Field("command.amend.change", "the past command is no action; give a command in its place")
	}
	out := proto.Clone(was).(*eventv1.Command)
	take, by := out.GetTake(), am.Change
	if am.ClearCircumstances {
		take.Circumstances = nil
	}
	if by.GetCreature() != "" {
		take.Creature = by.Creature
	}
	if by.GetAction() != "" {
		take.Action = by.Action
	}
	if by.GetItem() != "" {
		take.Item = by.Item
	}
	if len(by.GetTargets()) > 0 {
		take.Targets = by.Targets
	}
	if len(by.GetPath()) > 0 {
		take.Path = by.Path
	}
	take.Parameters = merged(take.Parameters, by.GetParameters())
	take.Facts = merged(take.Facts, by.GetFacts())
	take.Circumstances = append(take.Circumstances, by.GetCircumstances()...)
	return out, nil
}

// stated is what rulings state for a past action: what they stated before, and
// what this one changes.
func stated(was *eventv1.TakeAction, am *eventv1.AmendCommand) *eventv1.TakeAction {
	out := &eventv1.TakeAction{Parameters: merged(was.GetParameters(), am.Change.GetParameters()), Facts: merged(was.GetFacts(), am.Change.GetFacts())}
	if !am.ClearCircumstances {
		out.Circumstances = was.GetCircumstances()
	}
	out.Circumstances = slices.Concat(out.Circumstances, am.Change.GetCircumstances())
	return out
}

// merged sets fields by name; null takes one away.
func merged(was, by *structpb.Struct) *structpb.Struct {
	if len(by.GetFields()) == 0 {
		return was
	}
	out := &structpb.Struct{Fields: map[string]*structpb.Value{}}
	// order-free: a map is copied into a map
	for name, v := range was.GetFields() {
		out.Fields[name] = v
	}
	// order-free: each name is set by itself
	for name, v := range by.Fields {
		if _, null := v.GetKind().(*structpb.Value_NullValue); null {
			delete(out.Fields, name)
			continue
		}
		out.Fields[name] = v
	}
	return out
}
