package spark

import (
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play/condition"
	"github.com/skaldrpg/skald/pkg/rules/spark/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Audience says who may see a fact: sheets, hit points, injuries and stores are
// their owner's, and so is a declaration until all have declared.
func (System) Audience(s *eventv1.State, kind rules.FactKind, name, creature string) *eventv1.Audience {
	switch kind {
	case rules.FactSheet, rules.FactHitPoints, rules.FactInjury:
		return event.Controllers(creature)
	case rules.FactCounter:
		return body.CounterAudience(name, creature)
	case rules.FactCondition:
		if x := body.Conditions.Find(name); x != nil && x.Seen == condition.SeenByControllers {
			return event.Controllers(creature)
		}
	case rules.FactBegun:
		if name == body.BegunWork || name == body.BegunDeclared && s.Phase == body.PhaseDeclare {
			return body.Sealed(creature)
		}
	}
	return event.Everyone()
}
