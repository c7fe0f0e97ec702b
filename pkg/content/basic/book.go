package basic

import (
	"embed"
	"sync"

	"github.com/skaldrpg/skald/pkg/content/book"
)

//go:embed renamed.csv presets.yaml rules.yaml demo.yaml conditions.yaml tables/*.csv
var files embed.FS

// Book is the rule book as shipped.
func Book() book.Book { return book.New("basic", files) }

// Digest is the digest of what of the book can change a decision (book.Digest).
var Digest = sync.OnceValue(func() string { return Book().Digest() })
