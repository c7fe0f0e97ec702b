// Package strike holds attacks, multiattacks, wrestling and maneuvers.
//
// It must never order a turn.
package strike
