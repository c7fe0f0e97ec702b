package original

import (
	"strings"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Audience says who may see a fact. The source keeps nothing secret; as at any
// table, sheets and the tally of hit points are known to their owners. That a
// creature is a Normal Man, how it stands and what ails it is plain to all.
//
// What is counted and noted of a group is hidden with those who are staged.
func (System) Audience(s *eventv1.State, kind rules.FactKind, name, creature string) *eventv1.Audience {
	if creature == "" && ofTheUnseen(s, name) {
		return event.GM()
	}
	if creature == "" || strings.HasPrefix(creature, event.SidePrefix) {
		return event.Everyone()
	}
	switch kind {
	case rules.FactSheet, rules.FactHitPoints, rules.FactInjury:
		return event.Controllers(creature)
	case rules.FactCounter:
		switch name {
		case cActual, cTemporary, oldTemporary, cOriginal:
			return event.Controllers(creature)
		}
	}
	return event.Everyone()
}

// groupPrefixes begin the names of what is counted and noted of a group.
var groupPrefixes = []string{cStart, cPassed, cFirst, cHalf, mMorale, mReaction}

// ofTheUnseen tells whether a counter or a mark of the encounter is about a group
// of whom nobody is seen, or counts those who are not.
func ofTheUnseen(s *eventv1.State, name string) bool {
	if strings.HasPrefix(name, cUnseen) {
		return true
	}
	for _, prefix := range groupPrefixes {
		if group, is := strings.CutPrefix(name, prefix); is && unseen(s, group) {
			return true
		}
	}
	return false
}
