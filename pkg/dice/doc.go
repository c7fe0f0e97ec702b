// Package dice reads dice notation, evaluates it over faces that a caller
// supplies, and computes the exact odds of any expression.
//
// The package decides nothing about luck: every face comes from a [Source], so
// that the same expression over the same faces always gives the same [Result].
// It is pure: no clock, no randomness, no I/O, no goroutines. The sub-package
// tape holds the Source that a server uses (keyed, addressed, verifiable).
//
// Invariants, cited in code and tests:
//
//	I1  Parse(e.String()) gives an expression equal to e.
//	I2  Modifiers apply strictly from left to right, as written.
//	I3  Every face drawn appears once in Result.Faces, in rolling order, and
//	    once as a Die of the tree.
//	I4  The values of the kept dice of a term sum to the term's value, unless
//	    it counts successes; then their successes do.
//	I5  Every evaluation ends: breaking a limit is an error, never a stall.
//	I6  Odds is exact: it agrees with the sum over all face sequences.
//	I7  A bare relation or "!=" after a modifier is refused: what can be meant
//	    in several ways is not read in one of them.
//
// The notation, the limits and the tree are described in docs/DICE.md.
package dice
