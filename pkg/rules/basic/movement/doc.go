// Package movement holds moving, charging and withdrawing.
//
// It must never count a round down.
package movement
