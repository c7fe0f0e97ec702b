package mounts

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// rcr.mount.overlap-no-end: out of the spaces of others it takes the way to the nearest free
// place in a straight line, through spaces that are difficult ground but for the last; where
// none is free as far as it looks, as much as to the last place.
func TestWayOut(t *testing.T) {
	// spread puts creatures of 5 feet on all places of a square about the middle of a mount
	// of 5 feet, but for some.
	spread := func(to int32, but ...[2]int32) *eventv1.State {
		s := &eventv1.State{Creatures: map[string]*eventv1.Creature{}}
		for x := -to; x <= to; x += 5 {
			for y := -to; y <= to; y += 5 {
				free := false
				for _, b := range but {
					free = free || b == [2]int32{x, y}
				}
				if id := body.Itoa(x) + "," + body.Itoa(y); !free {
					s.Creatures[id] = &eventv1.Creature{Id: id, Size: "medium", Position: &eventv1.Position{X: x, Y: y}}
				}
			}
		}
		return s
	}
	for _, c := range []struct {
		name string
		s    *eventv1.State
		foot int32
		want int32
	}{
		{"one stands there", spread(0), 1, 5},
		{"ground that costs double", spread(0), 2, 10},
		{"only to the north-east", spread(10, [2]int32{5, 5}), 1, 5},
		{"only to the east", spread(10, [2]int32{5, 0}), 1, 5},
		{"only to the south-west", spread(10, [2]int32{-5, -5}), 1, 5},
		{"beyond a ring", spread(5), 1, 15},
		{"beyond a ring, not in a straight line before", spread(10, [2]int32{5, 10}), 1, 25},
		{"95 feet", spread(90), 1, 185},
		{"95 feet of double cost", spread(90), 2, 280},
		{"100 feet", spread(95), 1, 195},
		{"as far as it looks", spread(105), 1, 195},
	} {
		m := &eventv1.Creature{Id: "m", Size: "medium"}
		if got := wayOut(c.s, m, &eventv1.Position{}, c.foot); got != c.want {
			t.Errorf("%s: %d feet, want %d", c.name, got, c.want)
		}
	}
}
