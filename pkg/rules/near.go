package rules

import (
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"

	"github.com/skaldrpg/skald/pkg/fault"
)

// Near finds the words that somebody may have meant by one that is not known,
// the nearest first; at most three.
func Near(word string, known []string) []string {
	type near struct {
		word string
		away int
	}
	var found []near
	lower := strings.ToLower(word)
	for _, k := range known {
		low := strings.ToLower(k)
		away := distance(lower, low)
		if len(lower) > 2 && (strings.HasPrefix(low, lower) || strings.HasPrefix(lower, low)) {
			away = min(away, 1)
		}
		if away <= max(1, len(lower)/3) {
			found = append(found, near{k, away})
		}
	}
	slices.SortStableFunc(found, func(a, b near) int {
		if a.away != b.away {
			return a.away - b.away
		}
		return strings.Compare(a.word, b.word)
	})
	var out []string
	for _, n := range found[:min(3, len(found))] {
		out = append(out, n.word)
	}
	return slices.Compact(out)
}

// DidYouMean is the end of a message that a word is not known: ", did you mean
// x or y?", or nothing when no known word is near.
func DidYouMean(word string, known []string) string {
	near := Near(word, known)
	if len(near) == 0 {
		return ""
	}
	return ", did you mean " + strings.Join(near, " or ") + "?"
}

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

// distance is how many letters have to be changed, put in, left out, or swapped
// with their neighbour.
func distance(a, b string) int {
	away := levenshtein.ComputeDistance(a, b)
	ra := []rune(a)
	for i := 0; i+1 < len(ra); i++ {
		ra[i], ra[i+1] = ra[i+1], ra[i]
		away = min(away, 1+levenshtein.ComputeDistance(string(ra), b))
		ra[i], ra[i+1] = ra[i+1], ra[i]
	}
	return away
}
