// Package grid measures on a map of squares of 5 feet where a diagonal counts
// as one step. A position is the corner of a space with the smallest
// coordinates; coordinates and sides are feet. Positions come from commands
// that the core has checked (rules.MaxCoordinate), so sums stay in range.
//
// It must never know a creature, a size category or a rule: how big a space is
// and what a distance means are the rule systems' matter.
package grid

import (
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Square is the side of a square in feet.
const Square = 5

// Distance is the way in feet from the nearest square of one space to that of
// another: 5 when they are adjacent, 0 when they overlap.
func Distance(a *eventv1.Position, sideA int32, b *eventv1.Position, sideB int32) int32 {
	return max(gap(a.X, sideA, b.X, sideB), gap(a.Y, sideA, b.Y, sideB), gap(a.Z, sideA, b.Z, sideB))
}

// gap is the way from the nearest square of one span to that of another.
func gap(a, sideA, b, sideB int32) int32 {
	switch {
	case a+sideA <= b:
		return b - (a + sideA) + Square
	case b+sideB <= a:
		return a - (b + sideB) + Square
	}
	return 0
}

// Steps is the length in feet of a straight way between two corners.
func Steps(a, b *eventv1.Position) int32 {
	return max(abs(a.GetX()-b.GetX()), abs(a.GetY()-b.GetY()), abs(a.GetZ()-b.GetZ()))
}

func abs(n int32) int32 { return max(n, -n) }

// Sign is -1, 0 or 1: the direction of a difference of coordinates.
func Sign(n int32) int32 { return max(-1, min(1, n)) }
