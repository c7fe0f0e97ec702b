// Package engine carries out commands on encounters: it loads an encounter,
// lets the rule system decide, and appends one Commit, or nothing.
//
// Invariants:
//
//   - I1: a command is stored by one guarded append; on any error nothing is.
//   - I2: a request id leads to one Commit for ever; repeating it returns that
//     Commit's step.
//   - I3: one goroutine at a time changes a Fight; other processes are met by the
//     guard: the loser catches up, decides again and tries again.
//   - I4: what a caller is told is cut from that caller's view.
//
// It must never decide a rule, and never keep a state that is not a fold of
// stored Commits.
package engine
