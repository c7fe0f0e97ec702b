// Package dice is the dice service: the only holder of the keys behind the dice.
// It rolls notation over addressed tapes, publishes commitments, reveals
// branches, verifies recorded rolls and computes exact odds.
//
// Where faces come from. A roll at an address uses the faces that people
// supplied first and the tape after them, if it may. Face i of a roll is face i
// of its tape, whoever rolled those before it: a supplied face spends the tape's
// face at its place, so that supplying two faces instead of one changes no other.
//
// What is on the log. One subject an encounter (skald.0.<table>.dice.<encounter>)
// holds, chained and in order: each epoch's root, sealed by the master key, with
// the entropy that players gave; each tape that was opened and what for; each
// branch that was revealed. Faces are not there: they follow from the root.
// A real draw does not wait for its own record, since the encounter commits the
// faces with their address before anybody sees them; a preview and a dry run do
// wait, since nothing else would tell of them. Internal/ledger says more.
//
// The master key is a file that only its owner can read, or is injected. The
// service refuses to start with keys that do not open what is on the log, and
// never makes a new key where anything was ever sealed.
//
// It must never write, log or answer with an unsealed root or the seed of a
// branch that is not spent, and nothing that a caller may choose freely enters
// an address.
package dice
