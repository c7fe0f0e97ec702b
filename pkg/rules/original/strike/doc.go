// Package strike holds what is done in a turn: actions, spells, attacks: to hit,
// damage, attempts, backstabs, florentine fighting, parries, grapples, fumbles
// and the harm they do.
//
// It must never move anybody of its own will.
package strike
