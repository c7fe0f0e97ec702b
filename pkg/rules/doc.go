// Package rules is the resolution engine: it lets a rule system decide a
// command as an ordinary top-to-bottom function that may roll, ask, harm and
// emit, and makes that function resumable, repeatable and checkable.
//
// # What a rule system may rely on
//
// A rule system's methods get a [Resolution]. They read the working state
// ([Resolution.State]), to which every event emitted so far has already been
// applied; they call [Resolution.Roll], [Resolution.Ask], [Resolution.Deed] and
// [Resolution.Emit]; they return nil when the command is carried out, or a
// fault (see pkg/fault) to refuse it, in which case nothing that was emitted
// counts.
//
// # How asking suspends
//
// When something is asked that nobody has answered, the engine unwinds the
// function and reports the open decisions. Later it is run again from the
// start with the recorded inputs and the new answer; the events already
// published must come out identical, or the run ends in a [*DivergenceError].
// The unwinding uses a panic of a type private to this package, recovered in
// [Run]; a rule system must not recover.
//
// Invariants:
//
//   - I1: a run is a function of its [Request] alone: same request, same outcome.
//   - I2: nothing outside reaches a rule system but the inputs of the request
//     and of the [Provider], and every one of those is recorded.
//   - I3: addresses of faces are made here, from the label path and a count on
//     the branch, and from the action's number on the branch, which the
//     Provider gives; nothing a caller chooses enters them.
//   - I4: a run that ends in an error has no effect.
//
// It must never read a clock, draw randomness, start a goroutine, or know
// gRPC, NATS or bbolt; no more may the rule systems below it.
package rules
