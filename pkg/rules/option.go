package rules

import (
	"github.com/skaldrpg/skald/pkg/fault"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Forbid makes an option illegal for the reason of a refusal, and cites the
// refusal's rule when it has one. Without an error it changes nothing.
func Forbid(o *eventv1.Option, err error) {
	if err == nil {
		return
	}
	o.Legal = false
	reason, rule := fault.Told(err)
	o.Reason = reason
	if rule != "" {
		o.Rule = rule
	}
}
