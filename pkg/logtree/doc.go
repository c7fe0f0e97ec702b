// Package logtree keeps a Merkle tree over Commits (RFC 6962, as
// golang.org/x/mod/sumdb/tlog builds it) in the buckets of a projection, and proves from
// it that a tree holds a Commit and extends an earlier one.
//
// It must never change or remove a leaf, nor sign anything: what it holds follows from
// the log alone.
package logtree
