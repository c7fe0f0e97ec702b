// Package library is the packs of tables in the log: how a pack becomes a record,
// how one is read back and proved, and what lists show of it.
//
// It must never take for a pack what is not of its digest, and never know what
// a pack does.
package library
