package house

import (
	"encoding/csv"
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/rules/effects"
)

// Situations is the text of the table of situations as content has it, for
// situation.Read: a row that content changed has the rule of the content. It is not
// changed when no content touches it.
func Situations(content *effects.Book) (text string, changed bool) {
	const name = "situations"
	t := content.Table(name)
	if t == nil {
		return "", false
	}
	at := slices.Index(t.Columns, "rule")
	rows := [][]string{t.Columns}
	for i, row := range t.Rows {
		if by := content.TableCite(name, i); by != "" {
			row = slices.Clone(row)
			row[at] = by
		}
		rows = append(rows, row)
	}
	var out strings.Builder
	_ = csv.NewWriter(&out).WriteAll(rows) // a strings.Builder takes everything
	return out.String(), true
}
