// Package record keeps what is known of patients: a fold of the log into bbolt.
//
// It applies the Commits of patients and of encounters, in the order of the
// log, inside whatever transaction the projection gives it, and reads them
// back for the service: a patient as each viewer knows it, now and at an older
// version, what happened to it in and between fights, and what became of a
// request id.
//
// Invariants:
//
//   - R1: what is stored is a function of the log alone: applying the same
//     records gives the same keys and values, however they were batched.
//   - R2: who may hear an event is settled when it is folded, by those who
//     controlled the creatures at that moment, and never changes afterwards.
//   - R3: each viewer has a fold and numbers of its own, made from the events
//     that it may hear; nothing else reaches it.
//   - R4: a Commit that is broken or does not follow its chain is an error that
//     ends the projection; it is never skipped. Of a Commit of a fight whose events
//     are of no sort that may concern a patient the parts are held against their
//     digests, but not read.
//
// It must never write to the log, read a clock, or decide what a deed does.
package record
