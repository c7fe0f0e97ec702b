package original

import (
	"embed"
	"sync"

	"github.com/skaldrpg/skald/pkg/content/book"
)

//go:embed renamed.csv presets.yaml rules.yaml conditions.yaml demo.yaml tables/*.csv
var files embed.FS

// Book is the rule book as shipped.
func Book() book.Book { return book.New("original", files) }

// Digest is the digest of what of the book can change a decision (book.Digest).
var Digest = sync.OnceValue(func() string { return Book().Digest() })
