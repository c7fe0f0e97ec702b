package near

import (
	"testing"

	"github.com/agnivade/levenshtein"
)

// What is left out for speed changes no distance that counts.
func TestDistanceIsThatOfEveryChange(t *testing.T) {
	words := []string{"", "a", "ab", "ba", "bow", "bwo", "sword", "words", "longsword", "lnogsword", "swordlong", "shield", "shiedl",
		"attack", "attakc", "full-attack", "ready-attack", "größe", "grösse", "rgöße", "end-turn", "en-dturn", "endturn"}
	whole := func(a, b string) int {
		away := levenshtein.ComputeDistance(a, b)
		ra := []rune(a)
		for i := 0; i+1 < len(ra); i++ {
			ra[i], ra[i+1] = ra[i+1], ra[i]
			away = min(away, 1+levenshtein.ComputeDistance(string(ra), b))
			ra[i], ra[i+1] = ra[i+1], ra[i]
		}
		return away
	}
	for _, a := range words {
		for _, b := range words {
			for most := 1; most <= 4; most++ {
				want, got := whole(a, b), distance(a, b, most)
				if want != got && (want <= most || got <= most) {
					t.Errorf("%q, %q within %d: want %d, got %d", a, b, most, want, got)
				}
			}
		}
	}
}
