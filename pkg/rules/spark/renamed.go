package spark

import (
	"strconv"

	content "github.com/skaldrpg/skald/pkg/content/spark"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spark/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// renames are the names that were other ones in builds before.
var renames, renamesError = rules.ReadRenames(content.Book().File("renamed.csv"))

// Renames tells which names were other ones in builds before.
func (System) Renames() (*rules.Renames, error) { return renames, renamesError }

// NameSize is the hit die of a creature's sheet, by which its counter of hit dice
// is named; empty when the sheet is not to be seen.
func (System) NameSize(c *eventv1.Creature) string {
	if die := body.SheetOf(c).HitDie; die > 0 {
		return strconv.Itoa(int(die))
	}
	return ""
}
