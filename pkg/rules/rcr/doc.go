// Package rcr is the rule system "rcr": fifth edition combat as revised by a
// supplement of lasting injuries, initiative every round, widened opportunity
// attacks, new conditions and a new exhaustion.
//
// The package holds the turn structure and the actions (system.go, turn.go,
// attack.go, move.go, ...), the d20 and what weighs on it (d20.go, edges.go),
// and the medicine that the injury service runs (medicine.go and the files
// beside it). Rule ids of the catalogue stand where a rule is implemented.
//
// What a creature is at the moment is in the shared state: counters, marks,
// conditions and injuries under the names of names.go.
//
// It must never know another rule system, gRPC, NATS or bbolt, read a clock or
// draw randomness of its own.
package rcr
