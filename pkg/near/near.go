// Package near finds the words that somebody may have meant by one that is not
// known. It must never decide anything: it only makes messages better.
package near

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/agnivade/levenshtein"
)

// Words finds the words that somebody may have meant by one that is not known,
// the nearest first; at most three.
func Words(word string, known []string) []string {
	type near struct {
		word string
		away int
	}
	var found []near
	lower := strings.ToLower(word)
	most := max(1, len(lower)/3)
	for _, k := range known {
		low := strings.ToLower(k)
		away := distance(lower, low, most)
		if len(lower) > 2 && (strings.HasPrefix(low, lower) || strings.HasPrefix(lower, low)) {
			away = min(away, 1)
		}
		if away <= most {
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
	found := Words(word, known)
	if len(found) == 0 {
		return ""
	}
	return ", did you mean " + strings.Join(found, " or ") + "?"
}

// distance is how many letters have to be changed, put in, left out, or swapped
// with their neighbour; where that is more than most, any number above it. Words
// are measured for refusals that nobody may ever read, so that those far apart
// have to be cheap.
func distance(a, b string, most int) int {
	if apart := utf8.RuneCountInString(a) - utf8.RuneCountInString(b); max(apart, -apart) > most {
		return most + 1 // each letter more has to be put in
	}
	away := levenshtein.ComputeDistance(a, b)
	if away > most+1 {
		return away // a swap saves one at most
	}
	ra := []rune(a)
	for i := 0; i+1 < len(ra); i++ {
		ra[i], ra[i+1] = ra[i+1], ra[i]
		away = min(away, 1+levenshtein.ComputeDistance(string(ra), b))
		ra[i], ra[i+1] = ra[i+1], ra[i]
	}
	return away
}
