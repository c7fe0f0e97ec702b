package strike

import (
	"slices"

	thechecks "github.com/skaldrpg/skald/pkg/rules/rcr/checks"
)

// Decided are the tables that packs can change: those that decide.
var Decided = []string{"limbs", "rarity", "setback", "spells", "terrain", "wounds"}

// TableText is the book's text of a table that packs can change; false for any
// other, or when the book has none.
func TableText(name string) (string, bool) {
	if !slices.Contains(Decided, name) {
		return "", false
	}
	text, err := thechecks.BookTable(name)
	return text, err == nil
}
