// Package repocheck holds the rules of this repository that no compiler and no
// linter knows, as checks over its files: which package may import which, what
// keeps the rules deterministic, that every cited rule exists. Its tests run
// them on the repository itself, so go test is the one way to check everything.
//
// Each check is a function from a [Tree] to findings. A finding names file and
// line and says what to do about it.
//
// The package must never change a file, start a program or use the network, and
// nothing but its own tests may import it.
package repocheck
