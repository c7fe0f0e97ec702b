// Package limits names every limit of the suite: what input may be, what one
// caller may have at a time, what is kept in memory. docs/OPERATIONS.md has them
// as a table, and a test holds the two equal.
//
// It must never hold anything but numbers: what a limit is for and how breaking
// it is answered is the business of the code that keeps it.
package limits
