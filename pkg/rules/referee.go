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

// Preparer is a system some of whose actions can be taken before the fight
// begins, such as a check that settles who will be surprised.
type Preparer interface {
	// BeforeStart tells whether an action needs no fight under way.
	BeforeStart(action string) bool
}
