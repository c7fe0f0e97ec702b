package body

import (
	"strings"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// groupPrefixes begin the names of what is counted and noted of a group.
var groupPrefixes = []string{CStart, CPassed, CFirst, CHalf, MMorale, MReaction}

// OfTheUnseen tells whether a counter or a mark of the encounter is about a group
// of whom nobody is seen, or counts those who are not.
func OfTheUnseen(s *eventv1.State, name string) bool {
	if strings.HasPrefix(name, CUnseen) {
		return true
	}
	for _, prefix := range groupPrefixes {
		if group, is := strings.CutPrefix(name, prefix); is && unseen(s, group) {
			return true
		}
	}
	return false
}
