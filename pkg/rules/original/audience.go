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
func (System) Audience(_ *eventv1.State, kind rules.FactKind, name, creature string) *eventv1.Audience {
	if creature == "" || strings.HasPrefix(creature, event.SidePrefix) {
		return event.Everyone()
	}
	switch kind {
	case rules.FactSheet, rules.FactHitPoints, rules.FactInjury:
		return event.Controllers(creature)
	case rules.FactCounter:
		switch name {
		case cActual, cTemporary, cOriginal:
			return event.Controllers(creature)
		}
	}
	return event.Everyone()
}
