// Package spoken reads what a command gives in words: the parameters of an
// action and the facts that a caller states. Both are JSON-like objects, so that
// every rule system reads them in the same way.
//
// It must never guess: what is not there, or is of another type, is told apart
// from what is.
package spoken

import (
	"math"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/skaldrpg/skald/pkg/fault"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// most is the highest number that a rule takes, either way from 0.
const most = 1_000_000

// Word reads a string; empty when there is none.
func Word(s *structpb.Struct, key string) string { return s.GetFields()[key].GetStringValue() }

// Truth reads a boolean; false when there is none.
func Truth(s *structpb.Struct, key string) bool { return s.GetFields()[key].GetBoolValue() }

// Number reads a whole number from -1,000,000 to 1,000,000 and tells whether
// there is one.
func Number(s *structpb.Struct, key string) (int32, bool) { return Whole(s.GetFields()[key]) }

// Whole reads a value that is a whole number from -1,000,000 to 1,000,000 and
// tells whether it is one.
func Whole(value *structpb.Value) (int32, bool) {
	v, is := value.GetKind().(*structpb.Value_NumberValue)
	if !is || v.NumberValue > most || v.NumberValue < -most || v.NumberValue != math.Trunc(v.NumberValue) {
		return 0, false
	}
	return int32(v.NumberValue), true
}

// Words reads a list of strings and tells whether it is there; a lone string is
// a list of one.
func Words(s *structpb.Struct, key string) (list []string, ok bool) {
	v, ok := s.GetFields()[key]
	if !ok {
		return nil, false
	}
	if one := v.GetStringValue(); one != "" {
		return []string{one}, true
	}
	list = []string{}
	for _, e := range v.GetListValue().GetValues() {
		list = append(list, e.GetStringValue())
	}
	return list, true
}

// Creatures checks that every id names a creature of the fight; the fault is
// NotFound and names the field.
func Creatures(s *eventv1.State, field string, ids ...string) error {
	for _, id := range ids {
		if s.Creatures[id] == nil {
			return fault.New(fault.NotFound, "UNKNOWN_CREATURE", "%s: there is no creature %q", field, id)
		}
	}
	return nil
}
