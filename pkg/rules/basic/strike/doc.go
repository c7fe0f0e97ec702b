// Package strike holds attacks in melee and at range, criticals, series of
// attacks and what effects they have.
//
// It must never count a round down.
package strike
