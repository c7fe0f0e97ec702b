// Package movement holds moving, falling, dragging and posture.
//
// It must never order a turn.
package movement
