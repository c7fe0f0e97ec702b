package rulestest

import (
	"fmt"
	"strings"

	"google.golang.org/protobuf/types/known/structpb"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Act makes an action of a creature: with an item, at targets (several
// separated by commas), then changed as wanted.
func Act(creature, action, item, targets string, change ...func(*eventv1.TakeAction)) *eventv1.Command {
	take := &eventv1.TakeAction{Creature: creature, Action: action, Item: item}
	if targets != "" {
		take.Targets = strings.Split(targets, ",")
	}
	for _, c := range change {
		c(take)
	}
	return &eventv1.Command{What: &eventv1.Command_Take{Take: take}}
}

// EndTurn makes the command that ends a creature's turn.
func EndTurn(creature string) *eventv1.Command {
	return &eventv1.Command{What: &eventv1.Command_EndTurn{EndTurn: &eventv1.EndTurn{Creature: creature}}}
}

// WithFacts states facts of an action: key, value pairs as for [Object].
func WithFacts(pairs ...any) func(*eventv1.TakeAction) {
	return func(t *eventv1.TakeAction) { t.Facts = Object(pairs...) }
}

// WithParameters gives an action parameters: name, value pairs as for [Object].
func WithParameters(pairs ...any) func(*eventv1.TakeAction) {
	return func(t *eventv1.TakeAction) { t.Parameters = Object(pairs...) }
}

// Stated states circumstances that speak for or against an action, each of the
// form "direction:kind", such as "advantage:kind".
func Stated(list ...string) func(*eventv1.TakeAction) {
	return func(t *eventv1.TakeAction) {
		for _, s := range list {
			direction, kind, _ := strings.Cut(s, ":")
			t.Circumstances = append(t.Circumstances, &eventv1.Circumstance{Direction: direction, Kind: kind, Cause: kind})
		}
	}
}

// Plus states a modifier of an action.
func Plus(n int32) func(*eventv1.TakeAction) {
	return func(t *eventv1.TakeAction) {
		t.Circumstances = append(t.Circumstances, &eventv1.Circumstance{Direction: "modifier", Cause: "test", Value: n})
	}
}

// To gives an action a path along the line y = 0: x of each point, in feet.
func To(x ...int32) func(*eventv1.TakeAction) {
	return func(t *eventv1.TakeAction) {
		for _, n := range x {
			t.Path = append(t.Path, &eventv1.Position{X: n})
		}
	}
}

// Object makes an object of key, value pairs. A []string becomes a list; a
// value that no object can hold is a bug of the test and panics.
func Object(pairs ...any) *structpb.Struct {
	s := &structpb.Struct{Fields: map[string]*structpb.Value{}}
	for i := 0; i < len(pairs); i += 2 {
		v := pairs[i+1]
		if list, ok := v.([]string); ok {
			var anys []any
			for _, e := range list {
				anys = append(anys, e)
			}
			v = anys
		}
		value, err := structpb.NewValue(v)
		if err != nil {
			panic(fmt.Sprintf("rulestest: %v: %v", pairs[i], err))
		}
		s.Fields[pairs[i].(string)] = value
	}
	return s
}

// Player is the principal of a player's name.
func Player(name string) *eventv1.Principal {
	return &eventv1.Principal{Role: eventv1.Principal_ROLE_PLAYER, Name: name}
}
