// Package event is the vocabulary of what happens in a fight and its fold:
// every rule system speaks it, every state, view and history is made from it.
//
// It owns the fold of events into a State, the audience filter, and the sealed
// form in which a Commit is stored and hashed.
//
// Invariants:
//
//   - I1: folding needs no rules and no dice and cannot fail. An event about
//     something the state does not hold changes nothing; an event of an unknown
//     type changes nothing and is counted.
//   - I2: a viewer's state is the same fold over the events that the viewer may
//     see. There is no other filter.
//   - I3: folding never changes an event or anything an event points to; a state
//     may share messages with events, so messages inside a state are replaced,
//     never written to. So are its lists: whoever goes through one may fold
//     meanwhile.
//   - I4: a stored part is marshalled once; digests and the chain are taken over
//     the bytes as stored.
//
// It must never read a clock, draw randomness, or know gRPC, NATS or bbolt.
package event
