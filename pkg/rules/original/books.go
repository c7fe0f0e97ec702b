package original

import (
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
)

var _ rules.Bookkeeper = System{}

// KeepsBooks tells what only keeps the books: whom somebody met, attacked, ambushed or was
// disturbed by in the round, how often it rolled to subdue, and that the next slot has
// come, which says who acts.
func (System) KeepsBooks(kind rules.FactKind, name string) bool {
	switch kind {
	case rules.FactRelation:
	case rules.FactPhase:
		return name == body.SegSlot
	default:
		return false
	}
	switch name {
	case body.RelMet, body.RelAttacks, body.RelAmbushed, body.RelDisturbed, body.RelSubdues:
		return true
	}
	return false
}
