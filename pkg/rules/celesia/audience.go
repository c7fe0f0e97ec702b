package celesia

import (
	"strings"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Audience says who may see a fact. The rules keep no roll secret; sheets, hit
// points, injuries and tallies are their owner's, and what was readied is
// known to nobody else until it is done.
func (System) Audience(_ *eventv1.State, kind rules.FactKind, name, creature string) *eventv1.Audience {
	if creature == "" || strings.HasPrefix(creature, event.SidePrefix) {
		return event.Everyone()
	}
	switch kind {
	case rules.FactSheet, rules.FactHitPoints, rules.FactInjury:
		return event.Controllers(creature)
	case rules.FactCounter:
		switch name {
		case cActs, cSpent, cReactions, cFirst, cEscapes, cAim, cLoads, cMulti, cUnderway:
			return event.Everyone()
		}
		return event.Controllers(creature)
	case rules.FactMark:
		if strings.HasPrefix(name, mReady) || name == mUnderwayTake {
			return event.Controllers(creature)
		}
	}
	return event.Everyone()
}
