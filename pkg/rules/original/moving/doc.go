// Package moving holds movement: charges, retreats, pursuit and passing through
// lines.
//
// It must never order a round.
package moving
