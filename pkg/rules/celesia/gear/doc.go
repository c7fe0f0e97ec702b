// Package gear holds what is done with weapons, shields and other things: drawing,
// loading, handling, and taking them from a foe.
//
// It must never order acts.
package gear
