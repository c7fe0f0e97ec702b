package original

import (
	content "github.com/skaldrpg/skald/pkg/content/original"
	"github.com/skaldrpg/skald/pkg/rules"
)

// renames are the names that were other ones in builds before.
var renames, renamesError = rules.ReadRenames(content.Book().File("renamed.csv"))

// Renames tells which names were other ones in builds before.
func (System) Renames() (*rules.Renames, error) { return renames, renamesError }
