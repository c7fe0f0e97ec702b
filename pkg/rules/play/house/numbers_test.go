package house

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Straight away is along both axes as far as two lie apart on them, at least on the
// longer one; nowhere, where a place is not known, is the same, or off the map.
func TestStraightAway(t *testing.T) {
	at := func(x, y int32) *eventv1.Position { return &eventv1.Position{X: x, Y: y, Z: 7} }
	for name, c := range map[string]struct {
		from, of *eventv1.Position
		feet     int32
		want     *eventv1.Position
	}{
		"east":              {at(0, 0), at(5, 0), 10, at(15, 0)},
		"west":              {at(5, 0), at(0, 0), 10, at(-10, 0)},
		"north":             {at(0, 0), at(0, 5), 10, at(0, 15)},
		"south":             {at(0, 5), at(0, 0), 10, at(0, -10)},
		"a diagonal":        {at(0, 0), at(5, 5), 10, at(15, 15)},
		"steep":             {at(0, 0), at(5, 10), 10, at(10, 20)},
		"flat, backwards":   {at(0, 0), at(-10, 5), 10, at(-20, 10)},
		"a foot":            {at(0, 0), at(5, 0), 1, at(6, 0)},
		"no feet":           {at(0, 0), at(5, 0), 0, nil},
		"one spot":          {at(5, 5), at(5, 5), 10, nil},
		"nowhere":           {nil, at(5, 0), 10, nil},
		"of one nowhere":    {at(0, 0), nil, 10, nil},
		"to the edge":       {at(0, 0), at(rules.MaxCoordinate-10, 0), 10, at(rules.MaxCoordinate, 0)},
		"beyond the edge":   {at(0, 0), at(rules.MaxCoordinate-10, 0), 11, nil},
		"beyond, southward": {at(0, 0), at(0, 10-rules.MaxCoordinate), 11, nil},
	} {
		got := Away(&eventv1.Creature{Position: c.from}, &eventv1.Creature{Position: c.of}, c.feet)
		if (got == nil) != (c.want == nil) || got != nil && (got.X != c.want.X || got.Y != c.want.Y || got.Z != 7) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// What lasts without an end outlasts all; of two ends of one sort the later.
func TestWhatOutlasts(t *testing.T) {
	round := func(n int32) *eventv1.Until { return &eventv1.Until{When: "round", Round: n} }
	for _, c := range []struct {
		a, b *eventv1.Until
		want bool
	}{{nil, nil, true}, {nil, round(3), true}, {round(3), nil, false}, {round(3), round(3), true}, {round(4), round(3), true}, {round(2), round(3), false},
		{&eventv1.Until{When: "turn", Round: 9}, round(3), false}} {
		if got := outlasts(c.a, c.b); got != c.want {
			t.Errorf("%v and %v: %v", c.a, c.b, got)
		}
	}
}

// Dice and numbers as they are written, and what is rolled again behind every number of dice.
func TestWrittenDice(t *testing.T) {
	for _, c := range []struct {
		dice string
		n    int32
		want string
	}{{"", 4, "4"}, {"", -4, "-4"}, {"1d6", 0, "1d6"}, {"1d6", 2, "1d6+2"}, {"1d6", -2, "1d6-2"}, {"", 0, "0"}} {
		if got := DiceAnd(c.dice, c.n); got != c.want {
			t.Errorf("%s and %d: %s", c.dice, c.n, got)
		}
	}
	for _, c := range [][3]string{{"2d6", "ro<=2", "2d6ro<=2"}, {"1d8+2d10-1", "mi2", "1d8mi2+2d10mi2-1"}, {"2d20kh1", "ro<=1", "2d20ro<=1kh1"}, {"7", "mi2", "7"}, {"1d6", "??", "1d6"}} {
		if got := suffixed(c[0], c[1]); got != c[2] {
			t.Errorf("%s with %s: %s, want %s", c[0], c[1], got, c[2])
		}
	}
	if got := Sum([]*eventv1.Modifier{{Value: 3}, {Value: -5}, {Value: 1}}); got != -1 || Sum(nil) != 0 {
		t.Errorf("%d", got)
	}
}
