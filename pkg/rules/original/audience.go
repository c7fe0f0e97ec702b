package original

import (
	"strings"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Audience says who may see a fact. The source keeps nothing secret; as at any
// table, sheets and the tally of hit points are known to their owners. That a
// creature is a Normal Man, how it stands and what ails it is plain to all.
//
// What is counted and noted of a group is hidden with those who are staged.
func (System) Audience(s *eventv1.State, kind rules.FactKind, name, creature string) *eventv1.Audience {
	if creature == "" && body.OfTheUnseen(s, name) {
		return event.GM()
	}
	if creature == "" || strings.HasPrefix(creature, event.SidePrefix) {
		return event.Everyone()
	}
	switch kind {
	case rules.FactSheet, rules.FactHitPoints, rules.FactInjury:
		return event.Controllers(creature)
	case rules.FactCounter:
		switch name {
		case body.CActual, body.CTemporary, body.OldTemporary, body.COriginal:
			return event.Controllers(creature)
		}
	}
	return event.Everyone()
}
