// Package vectors is the form of the test vectors of the fold (docs/FOLD.md): what a
// viewer was told, step by step, and what it knows after each. Programs in any
// language run them to hold their own fold to this one; those of the repository lie
// in clients/vectors.
//
// It must never decide what a fold comes to: that is pkg/event's. It is for tests and
// tools alone.
package vectors
