package flight

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// rcr.flight.enlarged-space: wings take the space of the next size, magic none but its own;
// of a size that is in no table, that which it controls.
func TestSpaces(t *testing.T) {
	lifted := []*eventv1.Condition{{Name: body.CondLifted, Variant: body.LiftWorn, Values: map[string]int32{body.ChFlySpeed: 30}}}
	for size, want := range map[string][2]int32{"tiny": {10, 5}, "small": {10, 10}, "medium": {20, 10}, "large": {30, 20}, "huge": {40, 30}, "gargantuan": {40, 40}, "": {10, 10}, "vast": {10, 10}} {
		if got := [2]int32{SpaceHalf(&eventv1.Creature{Size: size}), SpaceHalf(&eventv1.Creature{Size: size, Conditions: lifted})}; got != want {
			t.Errorf("%q: %v half feet, want %v", size, got, want)
		}
	}
}

// rcr.flight.adv-dive-no-end-inside: the nearest free place beside it, which is not the one
// below: ring by ring, 60 feet about it at most.
func TestBeside(t *testing.T) {
	// crowd puts creatures of 5 feet on all places from one ring to another, but for some.
	crowd := func(z, from, to int32, but ...[2]int32) *eventv1.State {
		s := &eventv1.State{Creatures: map[string]*eventv1.Creature{}}
		for x := -to; x <= to; x += 5 {
			for y := -to; y <= to; y += 5 {
				free := max(x, -x, y, -y) < from
				for _, b := range but {
					free = free || b == [2]int32{x, y}
				}
				if id := body.Itoa(x) + "," + body.Itoa(y); !free {
					s.Creatures[id] = &eventv1.Creature{Id: id, Size: "medium", Position: &eventv1.Position{X: x, Y: y, Z: z}}
				}
			}
		}
		return s
	}
	for name, c := range map[string]struct {
		s    *eventv1.State
		z    int32
		want *eventv1.Position
	}{
		"nobody about":                          {crowd(0, 0, 0), 0, &eventv1.Position{X: -5, Y: -5}},
		"one place of the first ring":           {crowd(0, 0, 5, [2]int32{5, 0}), 0, &eventv1.Position{X: 5}},
		"the last of it":                        {crowd(0, 0, 5, [2]int32{5, 5}), 0, &eventv1.Position{X: 5, Y: 5}},
		"none of the first ring":                {crowd(0, 0, 5), 0, &eventv1.Position{X: -10, Y: -10}},
		"a place between corners of the second": {crowd(0, 0, 10, [2]int32{5, 10}), 0, &eventv1.Position{X: 5, Y: 10}},
		"what is below it is not beside it":     {crowd(0, 5, 5), 0, &eventv1.Position{X: -10, Y: -10}},
		"the others are above the ground":       {crowd(20, 0, 5), 20, &eventv1.Position{X: -5, Y: -5}},
		"only the last of 60 feet":              {crowd(0, 0, 60, [2]int32{60, 60}), 0, &eventv1.Position{X: 60, Y: 60}},
		"none within 60 feet":                   {crowd(0, 0, 60), 0, nil},
	} {
		a := &eventv1.Creature{Id: "a", Size: "medium", Position: &eventv1.Position{Z: c.z}}
		got := beside(c.s, a)
		if (got == nil) != (c.want == nil) || got.GetX() != c.want.GetX() || got.GetY() != c.want.GetY() || got.GetZ() != c.want.GetZ() {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
	if got := beside(&eventv1.State{}, &eventv1.Creature{Id: "a"}); got != nil {
		t.Errorf("without a place: %v", got)
	}
}

// rcr.flight.dc-plus-two, rcr.flight.dc-plus-four: loads are what is called so, no condition
// else that goes by such a word.
func TestOnlyLoadsWeigh(t *testing.T) {
	for name, want := range map[string]string{body.CondEncumbered: body.LoadHeavy, "tired": ""} {
		c := &eventv1.Creature{Conditions: []*eventv1.Condition{{Name: name, Variant: body.LoadHeavy}}}
		if got := Load(&eventv1.State{}, c); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
