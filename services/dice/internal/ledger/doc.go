// Package ledger holds the dice of live encounters: their roots, unsealed in
// memory alone, and the records of what was done with them, which it appends to
// the log.
//
// Which writes a caller waits for:
//
//   - Opening an epoch, revealing a branch, and opening a tape for a preview or
//     a dry run: the record is durable before anything is answered. Nothing else
//     would ever tell that somebody looked.
//   - Opening a tape for real: the record is queued, and a goroutine of the
//     ledger appends it soon after. Whoever drew is about to commit the faces
//     with their whole address to the encounter's own log, durably, and shows
//     them to nobody before that; so a crash in between loses no knowledge of a
//     face that anybody has seen, and an attack of ten rolls does not wait for
//     ten disk syncs. When the command is repeated under its request id, the
//     services draw again what its Commit holds, and so the note is made after all.
//
// Order is kept per encounter: every append first takes along all tapes queued
// before it, in one record, so that a reveal can never stand before a draw that
// it came after. The queue is bounded; a draw that finds it full appends it
// itself and waits. Close appends what is left.
//
// Several processes may serve one stream. The guard of each append finds out
// about the others, and unless the ledger is told that it is alone it asks the
// stream's leader before it opens a tape for real, so that a branch that another
// process revealed draws no more here.
//
// What it must never do: write or log an unsealed root, a seed or a tape key,
// answer with a seed before the branch's end is durable, or choose another root
// or entropy for an epoch that has them.
package ledger
