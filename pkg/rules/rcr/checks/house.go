package checks

import (
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
)

// TablesOf are the tables as a table's own content has them.
func TablesOf(content *effects.Book) *body.RuleBook {
	if content == nil {
		return body.Book
	}
	return content.Memo("rcr.tables", func() any {
		made, err := body.LoadTables(func(name string) (string, error) {
			if text, found := content.TableText(name); found {
				return text, nil
			}
			return BookTable(name)
		})
		if err != nil {
			return body.Book // the pack was checked against these tables when it was laid over
		}
		return made
	}).(*body.RuleBook)
}
