package spark

import (
	"slices"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// says is how a parameter or fact is said.
type says string

const (
	aWord   says = "a string"
	aTruth  says = "true or false"
	aNumber says = "a whole number"
	words   says = "a string or a list of strings"
	either  says = "a string or a whole number"
)

// What may be said with a declaration or a free action, beside it, and with a
// deed between fights.
var (
	saidParameters = map[string]says{"text": aWord, "stand": aTruth, "held": aTruth, "weapons": words, "classes": words, "ranged": aTruth,
		"use_cracked": aTruth, "sneak": aTruth, "bonus": words, "bonus_class": aWord, "bonus_target": aWord, "bonus_first": aTruth,
		"rival": aWord, "strength_check": aWord, "dc": aNumber, "object": aWord, "material": aWord, "enchantment": aNumber}
	saidFacts = map[string]says{"distance": aNumber, "feet": aNumber, "behind": aWord, "nearest": words, "near": words, "in_range": words,
		"provokes": words, "direction": aNumber}
	saidTending = map[string]says{"amount": aNumber, "type": aWord, "natural": aTruth, "counter": aWord, "mark": aWord, "value": either,
		"hours": aNumber, "kind": aWord, "dice": aNumber, "place": aWord, "ability": aWord, "interrupted": aTruth, "minutes": aNumber,
		"dc": aNumber, "bed": aTruth, "levels": aNumber, "points": aNumber, "injury": aWord}
)

// checkTake refuses what is said with an action in a way that nobody would hear.
func checkTake(take *eventv1.TakeAction) error {
	if err := checkSaid("take.parameters", take.GetParameters(), saidParameters); err != nil {
		return err
	}
	return checkSaid("take.facts", take.GetFacts(), saidFacts)
}

// checkSaid refuses names that mean nothing and values of another kind, lest a
// slip be passed over in silence. A null is as if nothing were said.
func checkSaid(field string, said *structpb.Struct, known map[string]says) error {
	for _, name := range rules.SortedKeys(said.GetFields()) {
		want, means := known[name]
		switch {
		case !means:
			return fault.Field(field+"."+name, "is not one of %v", rules.SortedKeys(known))
		case !want.fits(said, name):
			return fault.Field(field+"."+name, "must be %s", string(want))
		}
	}
	return nil
}

// fits tells whether a value is said in this way.
func (k says) fits(said *structpb.Struct, name string) bool {
	_, number := spoken.Number(said, name)
	switch v := said.GetFields()[name].GetKind().(type) {
	case *structpb.Value_NullValue:
		return true
	case *structpb.Value_StringValue:
		return k == aWord || k == words || k == either
	case *structpb.Value_BoolValue:
		return k == aTruth
	case *structpb.Value_NumberValue:
		return number && (k == aNumber || k == either)
	case *structpb.Value_ListValue:
		return k == words && !slices.ContainsFunc(v.ListValue.GetValues(), func(e *structpb.Value) bool {
			_, is := e.GetKind().(*structpb.Value_StringValue)
			return !is
		})
	}
	return false
}
