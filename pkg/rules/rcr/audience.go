package rcr

import (
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Audience says who may see a fact: hit points and wounds are their owner's
// secret, the tally of death saves is the game master's, the place of one who
// hides is its own.
func (System) Audience(s *eventv1.State, kind rules.FactKind, name, creature string) *eventv1.Audience {
	switch kind {
	case rules.FactSheet, rules.FactHitPoints, rules.FactInjury:
		return event.Controllers(creature) // rcr.hp.secret-totals
	case rules.FactPosition:
		if body.Has(s.Creatures[creature], body.CondHidden) {
			return event.Controllers(creature)
		}
	case rules.FactRelation:
		if name == body.RelStarted || name == body.RelEntered {
			return event.GM()
		}
	case rules.FactBegun:
		if name == body.BegunReadied {
			return event.Controllers(creature) // what is readied, and for what, is its owner's secret until it happens
		}
	case rules.FactCounter:
		return body.CounterAudience(s, name, creature)
	}
	return event.Everyone()
}
