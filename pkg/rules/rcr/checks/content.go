package checks

import (
	content "github.com/skaldrpg/skald/pkg/content/rcr"
)

// BookTable is the text of a table as the book has it.
func BookTable(name string) (string, error) { return content.Book().Table(name) }
