package spark

import (
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spark/body"
)

var _ rules.Bookkeeper = System{}

// KeepsBooks tells what only keeps the books: what was declared, which the action says.
func (System) KeepsBooks(kind rules.FactKind, name string) bool {
	return kind == rules.FactBegun && name == body.BegunDeclared
}
