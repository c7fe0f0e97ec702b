package engine

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/fault"
)

// A ruling reaches no encounter that the caller's token is not for, and a call without a
// bound reaches all.
func TestARulingReachesWhatTheTokenCovers(t *testing.T) {
	ctx := Reaching(t.Context(), func(id string) bool { return id == "mine" })
	if err := mayReach(ctx, "mine"); err != nil {
		t.Error(err)
	}
	if err := mayReach(ctx, "theirs"); !fault.Is(err, fault.Denied) {
		t.Errorf("an encounter of others: %v", err)
	}
	if err := mayReach(t.Context(), "theirs"); err != nil {
		t.Error(err)
	}
}
