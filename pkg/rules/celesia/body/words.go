package body

import (
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
)

// Nameless refuses a word that names none of what is there.
func Nameless(field, what, whose, word string, known []string) error {
	return fault.Field(field, "names no %s of %s%s", what, whose, rules.DidYouMean(word, known))
}
