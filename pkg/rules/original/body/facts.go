package body

import (
	"strconv"

	"github.com/skaldrpg/skald/pkg/fault"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Itoa writes a whole number in decimal.
func Itoa[N int | int32 | int64](n N) string { return strconv.FormatInt(int64(n), 10) }

// Atoi reads a whole number; 0 when the text is none or does not fit.
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

// Mod is a modifier of a roll, with what it comes from and its rule.
func Mod(value int32, source, rule string) *eventv1.Modifier {
	return &eventv1.Modifier{Value: value, Source: source, Rule: rule}
}

// Sum adds the values of modifiers up.
func Sum(mods []*eventv1.Modifier) (total int32) {
	for _, m := range mods {
		total += m.Value
	}
	return total
}
