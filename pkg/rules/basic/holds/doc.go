// Package holds holds grappling, binding and what is in the hands.
//
// It must never count a round down.
package holds
