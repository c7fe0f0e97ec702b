package flight

import (
	"testing"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// The way from one place to another is the nearest of the eight of the compass: within
// 22.5 degrees of an axis it is that axis, on either side, and between two it is
// oblique. North is where y grows.
func TestHeadingBetween(t *testing.T) {
	for _, c := range []struct {
		x, y int32
		want string
	}{
		{0, 5, "north"}, {5, 0, "east"}, {0, -5, "south"}, {-5, 0, "west"},
		{5, 5, "north-east"}, {5, -5, "south-east"}, {-5, -5, "south-west"}, {-5, 5, "north-west"},
		// The tangent of 22.5 degrees is 0.4142.
		{40, 100, "north"}, {-40, 100, "north"}, {45, 100, "north-east"}, {-45, 100, "north-west"},
		{40, -100, "south"}, {45, -100, "south-east"}, {100, 40, "east"}, {100, -40, "east"}, {100, 45, "north-east"},
		{-100, 40, "west"}, {-100, -45, "south-west"},
		{1035, 2500, "north"}, {1040, 2500, "north-east"}, {2500, 1035, "east"}, {2500, 1040, "north-east"},
	} {
		from := &eventv1.Position{X: 100, Y: 200, Z: 10}
		to := &eventv1.Position{X: 100 + c.x, Y: 200 + c.y, Z: 60}
		if got := headingOf(headingBetween(from, to)); got != c.want {
			t.Errorf("%d east, %d north: %q, want %q", c.x, c.y, got, c.want)
		}
	}
	here := &eventv1.Position{X: 100, Y: 200, Z: 10}
	if got := headingBetween(here, &eventv1.Position{X: 100, Y: 200, Z: 60}); got != 0 {
		t.Errorf("straight up: %d", got)
	}
}
