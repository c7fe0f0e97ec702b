// Package magic holds spells, powers and teleports.
//
// It must never order a turn.
package magic
