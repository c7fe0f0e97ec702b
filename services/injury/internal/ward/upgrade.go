package ward

import (
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// upgrade gives a patient's state, as read from the record, the names of this build
// where one before it stored others. The record stays as it is. The state of a rule
// system that this build does not have is left alone.
func upgrade(systems *rules.Registry, s *eventv1.State) {
	if sys, err := systems.System(s.GetSystem()); err == nil {
		rules.Upgrade(sys, s)
	}
}
