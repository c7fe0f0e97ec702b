package rcr

import (
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/mounts"
)

var _ rules.Bookkeeper = System{}

// KeepsBooks tells what only keeps the books: who was in whose reach and whose space was open,
// the orders of a mount, and where whoever hides was seen last.
func (System) KeepsBooks(kind rules.FactKind, name string) bool {
	switch kind {
	case rules.FactRelation:
		switch name {
		case body.RelStarted, body.RelEntered, body.RelThrough, body.RelOver:
			return true
		}
	case rules.FactBegun:
		return name == body.BegunHiding || mounts.KeepsBooks(name)
	}
	return false
}
