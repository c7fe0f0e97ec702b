// Package branch reads and writes amended histories that are too long for one
// Commit: a chain of records on a subject of their own (journal.BranchSubject),
// written first, and named by the one Commit that makes them count: by the branch,
// how many parts and commands of it count, and the hash of the last part.
//
// What no Commit names counts for nothing: a branch whose writer died is left
// alone, and the next try writes another.
//
// It must never append or read records itself, nor decide anything.
package branch
