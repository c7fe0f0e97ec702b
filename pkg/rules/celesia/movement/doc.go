// Package movement holds moving, running, charging and the squares within reach.
//
// It must never order acts.
package movement
