package body

import (
	"strings"

	"github.com/skaldrpg/skald/pkg/event"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Sealed is the audience of what is not yet revealed.
//
// spark.turn.declare
func Sealed(creature string) *eventv1.Audience { return event.Controllers(creature) }

// public are the counters that everyone sees.
var public = map[string]bool{CReaction: true, CBonus: true, CAction: true, CFree: true, COrder: true}

// CounterAudience is who sees a counter: the breakages the game master alone; those of
// the fight and of sides, and the public ones of a creature, everyone; others whoever
// controls the creature.
func CounterAudience(name, creature string) *eventv1.Audience {
	if name == CBreakages { // spark.fumble.alt-broken-item
		return event.GM()
	}
	if creature == "" || strings.HasPrefix(creature, event.SidePrefix) || public[name] {
		return event.Everyone()
	}
	return event.Controllers(creature)
}
