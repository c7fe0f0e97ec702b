package strike

import (
	"slices"

	thechecks "github.com/skaldrpg/skald/pkg/rules/rcr/checks"
)

// Parts are the points of a whole.
func Parts(whole string, of ...string) []string {
	out := make([]string, 0, len(of))
	for _, part := range of {
		out = append(out, whole+"/"+part)
	}
	return out
}

// Decided are the tables that packs can change: those that decide.
var Decided = []string{"limbs", "setback"}

// TableText is the book's text of a table that packs can change; false for any
// other, or when the book has none.
func TableText(name string) (string, bool) {
	if !slices.Contains(Decided, name) {
		return "", false
	}
	text, err := thechecks.BookTable(name)
	return text, err == nil
}
