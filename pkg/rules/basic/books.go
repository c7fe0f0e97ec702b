package basic

import (
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
)

var _ rules.Bookkeeper = System{}

// KeepsBooks tells what only keeps the books: whom somebody attacked or followed, what was
// declared (the action says so), and what is left of a series or a move.
func (System) KeepsBooks(kind rules.FactKind, name string) bool {
	switch kind {
	case rules.FactRelation:
		switch name {
		case body.RelAttacks, body.RelFollows:
			return true
		}
	case rules.FactBegun:
		switch name {
		case body.BDeclared, body.BSeries, body.BMoving:
			return true
		}
	}
	return false
}
