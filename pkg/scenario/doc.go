// Package scenario reads scenario files and runs them against Skald's services:
// a scenario is a ruling written as YAML, with the dice it needs and what must
// follow. docs/SCENARIOS.md describes the format.
//
// It owns the format, the comparison of what was expected with what came, the
// wording of differences, the digests of what scenarios decide and the files that keep
// them, and the count of the rules that scenarios show.
//
// Invariants:
//
//   - I1: a scenario talks to the services through their gRPC clients alone, so
//     that it holds for every server that speaks the contracts.
//   - I2: a key that means nothing is a mistake with a line number, never
//     passed over: an expectation that is not checked would be a lie.
//   - I3: dice are consumed exactly; a die left over or missing fails the step.
//   - I4: reading a file never starts anything, and cannot take more than the
//     limits in limits.go.
//   - I5: a digest hangs on what was decided alone, never on ids that a run draws, on
//     times, on seeds or on where the services run.
//
// It must never decide a rule, nor import a rule system or a service.
package scenario
