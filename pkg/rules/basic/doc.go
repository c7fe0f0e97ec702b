// Package basic is the rule system "basic": everybody declares, each rolls a
// d6 with Dexterity for initiative, and the count runs down from the highest
// number. Those on the same number act at the same time.
//
// It owns what the rules with ids "basic." say, as far as they are built:
// surprise, declaration, initiative, holding, movement and parting shots,
// attacks with the tables of natural 20 and natural 1, charges and set weapons,
// missiles, flasks of oil and holy water, spells and their disruption, blows that do
// not kill, grappling. The tables are data in the folder tables.
//
// How things happen at the same time: while more than one creature acts on a
// number, or one who holds could step in, what an attack or a spell does is put
// down as a task of the encounter and takes effect when everybody on the number
// is done. A lone actor's deeds take effect at once, and so do parting shots and
// holds.
//
// All state is in the encounter; the system itself holds nothing. It must never
// read a clock, draw randomness, start a goroutine, or know gRPC, NATS, bbolt
// or another rule system.
package basic
