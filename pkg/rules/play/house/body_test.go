package house

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/rules/effects"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// What content keeps off a part of damage: what the system's own rule did already is not
// done twice, and the words say what was done.
func TestDefended(t *testing.T) {
	for name, c := range map[string]struct {
		defense effects.Defense
		note    string
		taken   int32
		notes   []string
	}{
		"nothing":                     {effects.Defense{}, "", 9, nil},
		"three less":                  {effects.Defense{Less: 3}, "", 6, []string{"3 less"}},
		"more than there is":          {effects.Defense{Less: 12}, "", 0, []string{"12 less"}},
		"resistant":                   {effects.Defense{Resistant: true}, "", 4, []string{"resistance"}},
		"resistant already":           {effects.Defense{Resistant: true}, "resistance", 9, nil},
		"vulnerable":                  {effects.Defense{Vulnerable: true}, "", 18, []string{"vulnerability"}},
		"vulnerable already":          {effects.Defense{Vulnerable: true}, "vulnerability", 9, nil},
		"not vulnerable":              {effects.Defense{}, "resistance", 9, nil},
		"less, then half, then twice": {effects.Defense{Less: 2, Resistant: true, Vulnerable: true}, "", 6, []string{"2 less", "resistance", "vulnerability"}},
		"immune, whatever else":       {effects.Defense{Less: 2, Vulnerable: true, Immune: true}, "", 0, []string{"immunity"}},
	} {
		taken, notes := defended(&eventv1.DamagePart{Taken: 9, Note: c.note}, c.defense)
		if taken != c.taken || !slices.Equal(notes, c.notes) {
			t.Errorf("%s: %d %v, want %d %v", name, taken, notes, c.taken, c.notes)
		}
	}
}
