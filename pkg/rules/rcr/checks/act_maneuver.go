package checks

import (
	"github.com/skaldrpg/skald/pkg/rules/play"
)

// RefuseActing says that the action is spent.
func RefuseActing(at *play.At) error { return NeedActionUnless(at.Unread(), at.Actor) }
