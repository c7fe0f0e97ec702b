// Package recent keeps what was used last in memory, bounded in number, bytes and
// age: a Cache for values that can be made again, and a Shelf for those that stay
// while somebody works with them.
//
// It must never be the only place of anything: whatever it lets go can be computed
// or read again.
package recent
