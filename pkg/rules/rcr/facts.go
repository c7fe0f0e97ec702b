package rcr

import (
	"github.com/skaldrpg/skald/pkg/fault"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"google.golang.org/protobuf/types/known/structpb"
)

// word reads a string out of a Struct; empty when there is none.
func word(s *structpb.Struct, key string) string { return s.GetFields()[key].GetStringValue() }

// number reads a whole number out of a Struct and tells whether it is there.
func number(s *structpb.Struct, key string) (int32, bool) {
	v, ok := s.GetFields()[key]
	if !ok {
		return 0, false
	}
	n, is := v.GetKind().(*structpb.Value_NumberValue)
	if !is || n.NumberValue > 1e6 || n.NumberValue < -1e6 {
		return 0, false
	}
	return int32(n.NumberValue), true
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

// renamed reads a mapping of words out of a Struct.
func renamed(s *structpb.Struct, key string) map[string]string {
	out := map[string]string{}
	fields := s.GetFields()[key].GetStructValue().GetFields()
	// order-free: a map is copied into a map
	for k, v := range fields {
		out[k] = v.GetStringValue()
	}
	return out
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

// oneTarget is the single target of an action.
func oneTarget(take *eventv1.TakeAction) (string, error) {
	if len(take.Targets) != 1 {
		return "", fault.Field("take.targets", "exactly one, not %d", len(take.Targets))
	}
	return take.Targets[0], nil
}
