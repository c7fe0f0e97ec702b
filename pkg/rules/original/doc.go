// Package original is the rule system "original": combat in the manner of the
// original edition, with descending armour class, six-sided hit dice and
// initiative, and levels that count as attacks against Normal Men.
//
// The package holds how the sides meet (meeting.go, surprise.go), the order of a
// round (order.go, turn.go), the actions (attack.go, backstab.go, attempt.go,
// spell.go, charge.go, retreat.go, pursuit.go, grapple.go, move.go, ...), what an
// attack needs and does (blow.go, strike.go, armour.go), and the medicine that
// the injury service runs (medicine.go). Rule ids of the catalogue stand where a
// rule is implemented.
//
// What a creature is at the moment is in the shared state: counters, marks,
// conditions and tasks under the names of names.go.
//
// It must never know another rule system, gRPC, NATS or bbolt, read a clock or
// draw randomness of its own.
package original
