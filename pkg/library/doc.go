// Package library is the packs of tables in the log: how a pack becomes a record
// and is read back, and the compiled books of those that encounters pin. The
// encounter and the injury service use it, so that both decide by the same book.
//
// It must never hand out a pack whose bytes are not those of its digest, and
// never change one: another text is another pack.
package library
