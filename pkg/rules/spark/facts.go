package spark

import (
	"strconv"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/skaldrpg/skald/pkg/fault"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func itoa[N int | int32 | int64](n N) string { return strconv.FormatInt(int64(n), 10) }

// word reads a string out of a Struct; empty when there is none.
func word(s *structpb.Struct, key string) string { return s.GetFields()[key].GetStringValue() }

// number reads a whole number out of a Struct and tells whether it is there.
func number(s *structpb.Struct, key string) (int32, bool) {
	v, is := s.GetFields()[key].GetKind().(*structpb.Value_NumberValue)
	if !is || v.NumberValue > 1e6 || v.NumberValue < -1e6 {
		return 0, false
	}
	return int32(v.NumberValue), true
}

// truth reads a boolean out of a Struct; false when there is none.
func truth(s *structpb.Struct, key string) bool { return s.GetFields()[key].GetBoolValue() }

// words reads a list of strings out of a Struct and tells whether it is there;
// a lone string is a list of one.
func words(s *structpb.Struct, key string) (list []string, ok bool) {
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

// checkIDs says which of the ids names no creature of the fight.
func checkIDs(s *eventv1.State, field string, ids ...string) error {
	for _, id := range ids {
		if s.Creatures[id] == nil {
			return fault.New(fault.NotFound, "UNKNOWN_CREATURE", "%s: there is no creature %q", field, id)
		}
	}
	return nil
}

// refuse makes a refusal.
func refuse(reason, rule, format string, args ...any) error {
	return fault.Refuse(reason, rule, format, args...)
}

// mod makes a modifier.
func mod(value int32, source, rule string) *eventv1.Modifier {
	return &eventv1.Modifier{Value: value, Source: source, Rule: rule}
}
