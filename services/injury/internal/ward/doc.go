// Package ward is the injury service's server: it assesses harm for fights,
// tends patients between them, lets them into and out of fights, and shows
// each caller what it may know of them.
//
// Invariants:
//
//   - W1: nothing is stored on an error; a deed is one message on the subject
//     of each patient that it touches, all of them or none.
//   - W2: a deed is decided against the version it is appended to: a lost race
//     means catching up and deciding again.
//   - W3: an address of dice holds nothing that a caller chooses: the patient,
//     the epoch and the action number come from the record.
//   - W4: what a caller may not see answers as what does not exist.
//
// It must never lower hit points of a creature that is in a fight, and never
// keep state that is not in the log.
package ward
