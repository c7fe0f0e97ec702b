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
