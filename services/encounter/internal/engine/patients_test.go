package engine

import (
	"maps"
	"testing"

	"github.com/skaldrpg/skald/pkg/systems"
)

// A standing order that the rules no longer take stays behind, and keeps nobody out.
func TestStandingOrdersTaken(t *testing.T) {
	e := &Engine{cfg: Config{Systems: systems.Registry()}}
	got := e.taken("rcr", map[string]string{"fall-roll": "no", "dive": "ask", "landing": "sideways", "long-gone": "yes"})
	if want := map[string]string{"fall-roll": "no", "dive": "ask"}; !maps.Equal(got, want) {
		t.Errorf("taken %v, want %v", got, want)
	}
}
