package rules

import eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"

// Refereed is what a system implements when some of its actions are calls of
// the game master rather than deeds of a creature: whoever plays the creature
// may not take them and is not offered them.
type Refereed interface {
	// GMOnly tells whether only the game master may take the action.
	GMOnly(action string) bool
}

// MayCall tells whether a principal may take an action at all, as far as the
// system keeps it for the game master.
func MayCall(sys System, p *eventv1.Principal, action string) bool {
	if p.GetRole() == eventv1.Principal_ROLE_GM {
		return true
	}
	ref, ok := sys.(Refereed)
	return !ok || !ref.GMOnly(action)
}
