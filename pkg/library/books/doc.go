// Package books finds the packs of tables and compiles those that an encounter
// pins into the book that it is decided by. The encounter and the injury service
// use it, so that both decide by the same.
//
// It must never hand out a pack whose bytes are not those of its digest.
package books
