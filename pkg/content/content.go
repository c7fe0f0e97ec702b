// Package content lists the rule books of this build: adding a rule system means
// adding its book here and the system in pkg/systems. It must never hold rules or
// interpret a book.
package content

import (
	_ "embed"
	"slices"

	"github.com/skaldrpg/skald/pkg/content/basic"
	"github.com/skaldrpg/skald/pkg/content/book"
	"github.com/skaldrpg/skald/pkg/content/celesia"
	"github.com/skaldrpg/skald/pkg/content/original"
	"github.com/skaldrpg/skald/pkg/content/rcr"
	"github.com/skaldrpg/skald/pkg/content/spark"
)

// Books are the rule books in the order in which they are listed.
func Books() []book.Book {
	return []book.Book{rcr.Book(), spark.Book(), basic.Book(), celesia.Book(), original.Book()}
}

//go:embed vocabulary.yaml
var vocabulary []byte

// Vocabulary is the text of vocabulary.yaml: the words that mean the same in every
// rule system that has them, and those that must not be used.
func Vocabulary() []byte { return slices.Clone(vocabulary) }
