package render

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// order is a standing order of a side or the monsters, or with a condition.
func (st Style) order(o *eventv1.StandingOrder) string {
	who, verb := st.name(o.GetCreature()), "answers"
	switch {
	case o.GetMonsters():
		who, verb = "whoever nobody plays", "answers"
	case o.GetSide() != "":
		who = "the side " + o.Side
	}
	if o.GetOrder() == "" {
		return join(who, "has no order to", o.GetDecision()+" any more", with("when", o.GetWhen()))
	}
	return join(who, verb, o.GetDecision(), "with", o.GetOrder(), with("when", o.GetWhen()))
}

// settingsOf are changed settings in order; an empty value is the default again.
func settingsOf(settings map[string]string) string {
	parts := make([]string, 0, len(settings))
	for _, id := range slices.Sorted(maps.Keys(settings)) {
		parts = append(parts, fmt.Sprintf("%s %s", id, orWord(settings[id], "as usual")))
	}
	return orWord(strings.Join(parts, ", "), "nothing changes")
}
