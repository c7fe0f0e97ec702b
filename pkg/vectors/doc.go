// Package vectors is the form of the test vectors of the fold (docs/FOLD.md), what a
// viewer was told, step by step, and what it knows after each; and of those of forms,
// options and decisions filled in well and badly, and the commands or problems that
// come of it. Programs in any language run them to hold their own fold and forms to
// these; those of the repository lie in clients/vectors.
//
// It must never decide what a fold comes to or what a form takes: that is pkg/event's
// and pkg/client's. It is for tests and tools alone.
package vectors
