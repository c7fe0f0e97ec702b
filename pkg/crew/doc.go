// Package crew lets the processes of one service know of each other over core
// NATS, and divides the streams of the journal among those that are alive: each
// stream has a few owners, by rendezvous hashing, so that one process more or
// less moves only its own share.
//
// What it must never do: decide anything that must be right. Two processes may
// disagree for a moment about who is alive; whoever serves a table is kept right
// by the guards of the journal. It keeps nothing and must not use JetStream.
package crew
