package original

import (
	"strconv"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/skaldrpg/skald/pkg/fault"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func itoa[N int | int32 | int64](n N) string { return strconv.FormatInt(int64(n), 10) }

func atoi(s string) int32 {
	n, err := strconv.ParseInt(s, 10, 32)
	if err != nil {
		return 0
	}
	return int32(n)
}

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
	for _, e := range v.GetListValue().GetValues() {
		list = append(list, e.GetStringValue())
	}
	return list, true
}

// refuse makes a refusal.
func refuse(reason, rule, format string, args ...any) error {
	return fault.Refuse(reason, rule, format, args...)
}

// oneTarget is the single target of an action.
func oneTarget(take *eventv1.TakeAction) (string, error) {
	if len(take.Targets) != 1 {
		return "", fault.Field("take.targets", "exactly one, not %d", len(take.Targets))
	}
	return take.Targets[0], nil
}

// choiceOf makes a parameter with a few values.
func choiceOf(name, text string, values ...string) *eventv1.Parameter {
	p := &eventv1.Parameter{Name: name, Type: "string", Text: text}
	for _, v := range values {
		p.Values = append(p.Values, structpb.NewStringValue(v))
	}
	return p
}

func mod(value int32, source, rule string) *eventv1.Modifier {
	return &eventv1.Modifier{Value: value, Source: source, Rule: rule}
}

func sum(mods []*eventv1.Modifier) (total int32) {
	for _, m := range mods {
		total += m.Value
	}
	return total
}
