// Package pack reads, checks and stores packs: a table's own content as a folder
// of YAML and CSV files, as a message (skald.content.v1.Pack) and as the bytes
// that are kept under their digest. What content does is carried out by
// pkg/rules/effects.
//
// Invariants:
//
//   - I1: what is wrong with a pack is said with file, line and field.
//   - I2: a pack is known by the SHA-256 digest of the bytes that are stored; the
//     same bytes are the same pack.
//   - I3: reading is strict: an unknown field, a word that nothing knows, a
//     reference to nothing is an error, never passed over.
//   - I4: a pack reaches nothing outside its folder, and what it may be is
//     bounded by pkg/limits.
//
// It must never adjudicate, and it must not know gRPC, NATS or bbolt.
package pack
