package rules

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/event"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// A roll is named to nobody who is not told of it.
func TestToldOfARoll(t *testing.T) {
	ref := &eventv1.RollRef{Label: "to-hit", Branch: "everyone"}
	everyone, ann, bob, gm := event.Everyone(), event.Controllers("a"), event.Controllers("b"), event.GM()
	for _, c := range []struct {
		name       string
		rolled, to *eventv1.Audience
		want       bool
	}{
		{"open, to all", everyone, everyone, true},
		{"open, to some", everyone, ann, true},
		{"private, to all", ann, everyone, false},
		{"private, to its own", ann, event.Controllers("a"), true},
		{"private, to others", ann, bob, false},
		{"private, to the game master", ann, gm, true},
		{"blind, to its own", gm, ann, false},
		{"blind, to the game master", gm, gm, true},
	} {
		if got := (Rolled{Audience: c.rolled, Ref: ref}).Told(c.to); (got == ref) != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
		if got := (Rolled{Audience: c.rolled}).Told(c.to); got != nil {
			t.Errorf("%s: nothing was rolled, and told is %v", c.name, got)
		}
	}
}

// A step is written down where a number changes, and nowhere else.
func TestFactor(t *testing.T) {
	for _, c := range []struct {
		before, times, over, plus, want int32
		steps                           int
	}{
		{7, 0, 0, 0, 7, 0}, {7, 1, 1, 0, 7, 0}, {7, 2, 0, 0, 14, 1}, {7, 1, 2, 0, 3, 1}, {7, 3, 2, 0, 10, 1}, {0, 2, 0, 0, 0, 1}, {7, 1, 1, -2, 5, 1}, {7, 0, 0, 1, 8, 1},
	} {
		p := &eventv1.DamagePart{Rolled: c.before}
		Factor(p, c.times, c.over, c.plus, "why", "rule")
		if p.Rolled != c.want || len(p.Factors) != c.steps || c.steps == 1 && (p.Factors[0].Before != c.before || p.Factors[0].After != c.want) {
			t.Errorf("%+v: %d by %v", c, p.Rolled, p.Factors)
		}
	}
}
