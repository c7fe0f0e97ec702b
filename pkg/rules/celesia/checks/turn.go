package checks

import (
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Surprised is the condition of one who is unaware of its opponents.
//
// celesia.surprise.surprised-definition
func Surprised(cause, rule string) *eventv1.Condition {
	return &eventv1.Condition{Name: body.CondSurprised, Cause: cause, Until: &eventv1.Until{When: "round"}, Rule: rule}
}
