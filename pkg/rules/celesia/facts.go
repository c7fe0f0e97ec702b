package celesia

import (
	"strconv"
	"strings"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/skaldrpg/skald/pkg/fault"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func itoa[N int | int32 | int64](n N) string { return strconv.FormatInt(int64(n), 10) }

// word reads a string out of a Struct; empty when there is none.
func word(s *structpb.Struct, key string) string { return s.GetFields()[key].GetStringValue() }

// number reads a whole number out of a Struct and tells whether it is there.
// It goes by the text of the number: the rules compute in whole numbers only.
func number(s *structpb.Struct, key string) (int32, bool) {
	v, ok := s.GetFields()[key]
	if !ok {
		return 0, false
	}
	text, err := v.MarshalJSON()
	if err != nil {
		return 0, false
	}
	n, err := strconv.Atoi(strings.TrimSuffix(string(text), ".0"))
	if err != nil || n > 1_000_000 || n < -1_000_000 {
		return 0, false
	}
	return int32(n), true
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
	for _, e := range v.GetListValue().GetValues() {
		list = append(list, e.GetStringValue())
	}
	return list, true
}

// checkIDs says which of the ids names no creature of the fight.
func checkIDs(s *eventv1.State, field string, ids []string) error {
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

// target is the target of an action; empty when none is named.
func target(take *eventv1.TakeAction) string {
	if len(take.GetTargets()) == 0 {
		return ""
	}
	return take.Targets[0]
}

// paramStruct makes a Struct of keys and words.
func paramStruct(pairs ...string) *structpb.Struct {
	s := &structpb.Struct{Fields: map[string]*structpb.Value{}}
	for i := 0; i+1 < len(pairs); i += 2 {
		s.Fields[pairs[i]] = structpb.NewStringValue(pairs[i+1])
	}
	return s
}
