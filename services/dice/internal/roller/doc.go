// Package roller reads notation, rolls it over faces from people and from a
// tape, and puts results and errors into the words of the contract.
//
// It must never choose a face: every face comes from the caller or from the
// tape it is given. Limits are those of pkg/dice, the same everywhere, because
// the resolution engine evaluates recorded faces again and must come to the same.
package roller
