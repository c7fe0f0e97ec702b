package spark

import (
	"strings"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play/condition"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// sealed is the audience of what is not yet revealed.
//
// spark.turn.declare
func sealed(creature string) *eventv1.Audience { return event.Controllers(creature) }

// Audience says who may see a fact: sheets, hit points, injuries and stores are
// their owner's, and so is a declaration until all have declared.
func (System) Audience(s *eventv1.State, kind rules.FactKind, name, creature string) *eventv1.Audience {
	switch kind {
	case rules.FactSheet, rules.FactHitPoints, rules.FactInjury:
		return event.Controllers(creature)
	case rules.FactCounter:
		return counterAudience(name, creature)
	case rules.FactCondition:
		if x := conditions.Find(name); x != nil && x.Seen == condition.SeenByControllers {
			return event.Controllers(creature)
		}
	case rules.FactBegun:
		if name == begunWork || name == begunDeclared && s.Phase == phaseDeclare {
			return sealed(creature)
		}
	}
	return event.Everyone()
}

// public are the counters that everyone sees.
var public = map[string]bool{cReaction: true, cBonus: true, cAction: true, cFree: true, cOrder: true}

func counterAudience(name, creature string) *eventv1.Audience {
	if name == cBreakages { // spark.fumble.alt-broken-item
		return event.GM()
	}
	if creature == "" || strings.HasPrefix(creature, event.SidePrefix) || public[name] {
		return event.Everyone()
	}
	return event.Controllers(creature)
}
