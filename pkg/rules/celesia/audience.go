package celesia

import (
	"strings"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Audience says who may see a fact. Sheets, hit points, injuries and tallies are
// their owner's, but that somebody bleeds is plain to see. What was readied is known to
// nobody else until it is done, and where an invisible creature stands is its own
// affair.
func (System) Audience(s *eventv1.State, kind rules.FactKind, name, creature string) *eventv1.Audience {
	if creature == "" || strings.HasPrefix(creature, event.SidePrefix) {
		return event.Everyone()
	}
	switch kind {
	case rules.FactSheet, rules.FactHitPoints, rules.FactInjury:
		return event.Controllers(creature)
	case rules.FactCounter:
		switch name {
		case body.CActs, body.CSpent, body.CReactions, body.CFirst, body.CEscapes, body.CAim, body.CLoads, body.CMulti, body.CTurn, body.CCastings, body.CBleed:
			return event.Everyone()
		}
		return event.Controllers(creature)
	case rules.FactBegun:
		if name == body.BegunReadied || name == body.BegunUnderway { // of the latter everyone is told what it is
			return event.Controllers(creature)
		}
	case rules.FactPosition:
		return body.Whereabouts(s.GetCreatures()[creature])
	}
	return event.Everyone()
}
