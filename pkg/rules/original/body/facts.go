package body

import (
	"strconv"

	"github.com/skaldrpg/skald/pkg/fault"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func Itoa[N int | int32 | int64](n N) string { return strconv.FormatInt(int64(n), 10) }

func Atoi(s string) int32 {
	n, err := strconv.ParseInt(s, 10, 32)
	if err != nil {
		return 0
	}
	return int32(n)
}

// Refuse makes a refusal.
func Refuse(reason, rule, format string, args ...any) error {
	return fault.Refuse(reason, rule, format, args...)
}

func Mod(value int32, source, rule string) *eventv1.Modifier {
	return &eventv1.Modifier{Value: value, Source: source, Rule: rule}
}

func Sum(mods []*eventv1.Modifier) (total int32) {
	for _, m := range mods {
		total += m.Value
	}
	return total
}
