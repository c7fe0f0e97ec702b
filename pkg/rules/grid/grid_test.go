package grid_test

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/rules/grid"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func at(x, y, z int32) *eventv1.Position { return &eventv1.Position{X: x, Y: y, Z: z} }

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		name         string
		a            *eventv1.Position
		sideA        int32
		b            *eventv1.Position
		sideB, apart int32
	}{
		{"one square", at(0, 0, 0), 5, at(0, 0, 0), 5, 0},
		{"neighbours", at(0, 0, 0), 5, at(5, 0, 0), 5, 5},
		{"a diagonal is one step", at(0, 0, 0), 5, at(5, -5, 0), 5, 5},
		{"one square between", at(0, 0, 0), 5, at(10, 5, 0), 5, 10},
		{"the far side of a big space does not count", at(0, 0, 0), 15, at(15, 10, 0), 5, 5},
		{"inside a big space", at(0, 0, 0), 15, at(10, 10, 10), 5, 0},
		{"above", at(0, 0, 0), 5, at(0, 0, 30), 5, 30},
		{"above something big", at(0, 0, 0), 20, at(0, 0, 30), 5, 15},
		{"off the squares", at(0, 0, 0), 5, at(7, 0, 0), 5, 7},
		{"below zero", at(-20, 0, 0), 5, at(-5, 0, 0), 5, 15},
	} {
		if d := grid.Distance(c.a, c.sideA, c.b, c.sideB); d != c.apart {
			t.Errorf("%s: %d feet, want %d", c.name, d, c.apart)
		}
		if d := grid.Distance(c.b, c.sideB, c.a, c.sideA); d != c.apart {
			t.Errorf("%s, from the other end: %d feet, want %d", c.name, d, c.apart)
		}
	}
}

func TestSteps(t *testing.T) {
	if d := grid.Steps(at(0, 0, 0), at(-15, 10, 5)); d != 15 {
		t.Errorf("%d feet, want 15", d)
	}
	if d := grid.Steps(nil, at(0, 0, 20)); d != 20 {
		t.Errorf("%d feet from nowhere, want 20", d)
	}
}

func TestSign(t *testing.T) {
	if grid.Sign(-30) != -1 || grid.Sign(0) != 0 || grid.Sign(5) != 1 {
		t.Error("signs")
	}
}
