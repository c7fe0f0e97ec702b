package basic

import (
	"strings"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Audience says who may see a fact. Declarations, movement and conditions are
// open to all; sheets, hit points and what is left of spells and missiles are
// their owner's.
//
// basic.turn.declare
func (System) Audience(_ *eventv1.State, kind rules.FactKind, name, creature string) *eventv1.Audience {
	if creature == "" || strings.HasPrefix(creature, event.SidePrefix) {
		return event.Everyone()
	}
	switch kind {
	case rules.FactSheet, rules.FactHitPoints, rules.FactInjury:
		return event.Controllers(creature)
	case rules.FactCounter:
		if name == body.CNonlethal || name == body.CRunning || strings.HasPrefix(name, body.CLeft) || strings.HasPrefix(name, body.CAmmunition) {
			return event.Controllers(creature)
		}
	}
	return event.Everyone()
}
