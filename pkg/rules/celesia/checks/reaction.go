package checks

import (
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Provocation is an act that others may answer before it begins.
type Provocation struct {
	// By whom.
	By string
	// Kind is the word by which readied actions know it.
	Kind string
	// Provokes attacks of opportunity.
	Provokes bool
	// Only this creature may make one; empty means everyone who threatens.
	Only string
	// Except have had their chance already.
	Except []string
	// Take is the act.
	Take *eventv1.TakeAction
}
