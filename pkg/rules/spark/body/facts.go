package body

import (
	"strconv"

	"github.com/skaldrpg/skald/pkg/fault"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Itoa writes a whole number in decimal.
func Itoa[N int | int32 | int64](n N) string { return strconv.FormatInt(int64(n), 10) }

// Refuse makes a refusal.
func Refuse(reason, rule, format string, args ...any) error {
	return fault.Refuse(reason, rule, format, args...)
}

// Mod makes a modifier.
func Mod(value int32, source, rule string) *eventv1.Modifier {
	return &eventv1.Modifier{Value: value, Source: source, Rule: rule}
}
