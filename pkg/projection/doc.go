// Package projection folds the log into a bbolt file: a cache with a promise.
//
// Invariants:
//
//   - I1: the records of a batch and the checkpoint after them are written in one
//     transaction, so that each record is applied exactly once, whatever dies.
//   - I2: rebuilding from the beginning gives the same content, key for key and
//     value for value ([Projection.ContentHash]).
//   - I3: a file that is ahead of the log, or that holds another record at its
//     checkpoint than the log does, stops the projection loudly. It is never
//     rebuilt over: it may be the only surviving copy.
//   - I4: a file that is damaged, of another schema, or of another stream that
//     has overtaken it, is moved aside, never deleted, and the projection is
//     built again; one that is found damaged while it is open is built again
//     beside, and reads of its whole parts go on meanwhile. What is damaged shows
//     by a checksum behind every value, and by the count and the sum of each
//     bucket's checksums.
//   - I5: a record that can not be folded closes its subject: nothing of it stays,
//     what follows it on the subject is not folded, every other subject goes on.
//     What is closed is content (I2): a rebuild closes the same.
//
// The file also remembers sequence, subject, id and digest of each record that
// the log handed over ([ReadLog]), as a witness for mending the log.
//
// One process opens a file; readers use short transactions and copy what they
// keep. It must never hold anything that is not in the log, and knows nothing
// of rules or of what the records mean.
package projection
