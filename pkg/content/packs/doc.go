// Package packs holds the packs that Skald ships: the weapons, armour,
// conditions and spells of the System Reference Document 5.1 for rcr, and an
// example of a table's own. Each is a folder as docs/PACKS.md describes it.
//
// It must never compute anything: what a pack means is known by pkg/content/pack
// and pkg/rules/effects.
package packs
