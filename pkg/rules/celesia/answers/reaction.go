package answers

import (
	"slices"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Offers tells whether an option is among those of a decision; "no" never counts as
// one.
func Offers(d *eventv1.Decision, option string) bool {
	return option != "no" && slices.ContainsFunc(d.Options, func(o *eventv1.DecisionOption) bool { return o.Id == option })
}
