// Package load decides at the front of a server which work it takes on: so much
// at a time as the machine does well, a short queue before it, and a refusal at
// once (OVERLOADED, with when to try again) for what would wait too long. Under
// many times the load that a server can carry it goes on doing as much as ever,
// in a bounded time, and the rest learns so early.
//
// Invariants:
//
//   - L1: what is refused was not begun: nothing was drawn, nothing stored.
//   - L2: what was let in is never taken back.
//   - L3: tables take turns, and within a table those who call; when the queue is
//     full the newest of the longest gives way, so that a table that asks for much
//     crowds out itself.
//
// It must never stand between services: a command that has begun must not be
// refused half-way. It must never delay health, watches or plain reads.
package load
