// Package celesia is the rule system "celesia": Legends of Celesia, a d20 game
// in which a turn is three acts, reactions answer reactions, and a victim may
// take a crippling injury in place of damage.
//
// It owns what the rules with ids "celesia." say, as far as they are built.
// All state is in the encounter; the system itself holds nothing. The
// circumstances that give advantage or disadvantage and the crippling injuries
// are tables in the folder tables.
//
// It must never read a clock, draw randomness, start a goroutine, or know
// gRPC, NATS, bbolt or another rule system.
package celesia
