package rules

import (
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/near"
)

// Near finds the words that somebody may have meant by one that is not known,
// the nearest first; at most three.
func Near(word string, known []string) []string { return near.Words(word, known) }

// DidYouMean is the end of a message that a word is not known: ", did you mean
// x or y?", or nothing when no known word is near.
func DidYouMean(word string, known []string) string { return near.DidYouMean(word, known) }

// OneOf refuses a word that is none of those known, with the near ones.
func OneOf(field, word string, known []string) error {
	if slices.Contains(known, word) {
		return nil
	}
	return fault.Field(field, "%q is not one of %s%s", word, strings.Join(known, ", "), DidYouMean(word, known))
}

// Named refuses names of the form PREFIX+THING whose thing is none of those
// known for the prefix, with the near ones; names with none of the prefixes
// pass. The field is that of the map whose keys the names are.
func Named(field string, names []string, known map[string][]string) error {
	for _, name := range names {
		for _, prefix := range SortedKeys(known) {
			thing, is := strings.CutPrefix(name, prefix)
			if !is {
				continue
			}
			if err := OneOf(field+"["+name+"]", thing, known[prefix]); err != nil {
				return err
			}
		}
	}
	return nil
}
