// Package play is the kernel that every rule system declares its actions to. A
// system says once, as an [Action], what can be done, with what, against whom, what
// it costs, what may be said with it and why it cannot be done now; the [Frame]
// makes of that the options that a front end shows, the refusals, and the checks
// before the deed. The same functions are asked in all three places, so that what
// is listed can be taken and what is refused is not listed.
//
// Invariants:
//
//   - P1: an option that is listed as legal, taken as it is listed, is not refused.
//   - P2: what [Frame.Act] carries out was refused by none of the functions of its
//     action; nothing is emitted before the last of them has answered.
//   - P3: options depend on nothing but the state, the creature and the content
//     given; they change neither.
//   - P4: what is shared between options (parameters, facts, fixed costs) is made
//     once and never changed afterwards: whoever gets options must not write to them.
//
// The package must never know a rule of a game, name a rule system, roll dice or
// emit an event; it must not know gRPC, NATS or bbolt.
package play
