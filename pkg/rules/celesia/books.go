package celesia

import (
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/manners"
)

var _ rules.Bookkeeper = System{}

// KeepsBooks tells what only keeps the books: that a creature has attacked or struck in its turn,
// and that it has tried to identify a casting.
func (System) KeepsBooks(kind rules.FactKind, name string) bool {
	switch kind {
	case rules.FactRelation:
		return name == body.RelIdentified
	case rules.FactCondition:
		return manners.KeepsBooks(name)
	}
	return false
}
