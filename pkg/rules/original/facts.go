package original

import (
	"strconv"

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

func mod(value int32, source, rule string) *eventv1.Modifier {
	return &eventv1.Modifier{Value: value, Source: source, Rule: rule}
}

func sum(mods []*eventv1.Modifier) (total int32) {
	for _, m := range mods {
		total += m.Value
	}
	return total
}
