package daemon

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/skaldrpg/skald/pkg/tombstone"
)

// anybody is what is given in the place of a key to believe whoever may write.
const anybody = "any"

// HeadsKnown are the flags that say whose tombstones a service believes that has no
// keys of its own.
type HeadsKnown struct {
	keys []string
	file string
}

// Flags adds them.
func (h *HeadsKnown) Flags(f *pflag.FlagSet) {
	f.StringArrayVar(&h.keys, "heads-known", nil, "public key that signs heads, once for each (skald keys list): only a deletion of a table that one of them signed is carried out here; "+
		"without any none is; \"any\" carries out whatever is written to the journal in that form")
	f.StringVar(&h.file, "heads-known-file", "", "file of such keys, as skald keys list prints them; read again for each deletion")
}

// Believe is the reader of tombstones that the flags ask for.
func (h *HeadsKnown) Believe() (*tombstone.Reader, error) {
	var keys []string
	for _, given := range h.keys { // from the environment they come as one
		keys = append(keys, strings.FieldsFunc(given, func(r rune) bool { return r == ',' || r == ' ' || r == '\n' })...)
	}
	if slices.Contains(keys, anybody) {
		if len(keys) > 1 || h.file != "" {
			return nil, errors.New("--heads-known: want any, or keys")
		}
		return tombstone.ByForm(), nil
	}
	by := tombstone.ByVerifiers
	if h.file != "" {
		by = func(keys ...string) (*tombstone.Reader, error) { return tombstone.ByList(h.file, keys...) }
	}
	r, err := by(keys...)
	if err != nil {
		return nil, fmt.Errorf("--heads-known: %w", err)
	}
	return r, nil
}
