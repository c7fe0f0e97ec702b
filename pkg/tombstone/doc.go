// Package tombstone reads and writes what stands in the place of a deleted table: a
// note, signed by the key that signs heads, that says which table it was, when, by
// whom and why it was deleted, how many records of which kind it had, where each
// chain ended, and by digests which sequences of the stream and which places of its
// tree are empty since.
//
// It must never believe a note that no key it was given signed, nor a list that is
// not the one whose digest the note holds, and never append or purge anything.
package tombstone
