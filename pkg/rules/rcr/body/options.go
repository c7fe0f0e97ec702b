package body

import (
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
)

// Refuse makes a refusal.
func Refuse(reason, rule, format string, args ...any) error {
	return fault.Refuse(reason, rule, format, args...)
}

// Spend takes one from a counter of the turn.
func Spend(r *rules.Resolution, id, counter, why string, ruleIDs ...string) {
	r.Set(id, counter, r.Count(id, counter)-1, why, ruleIDs...)
}
