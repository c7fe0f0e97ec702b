package original

import (
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
)

var _ rules.Bookkeeper = System{}

// KeepsBooks tells what only keeps the books: whom somebody met, attacked, ambushed or was
// disturbed by in the round, and how often it rolled to subdue.
func (System) KeepsBooks(kind rules.FactKind, name string) bool {
	if kind != rules.FactRelation {
		return false
	}
	switch name {
	case body.RelMet, body.RelAttacks, body.RelAmbushed, body.RelDisturbed, body.RelSubdues:
		return true
	}
	return false
}
