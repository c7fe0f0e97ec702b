// Package resolving holds the resolution of a half: slots and passes, blows,
// throws, spells, fumbles by either table, what waits and what is lost.
//
// It must never ask for a declaration.
package resolving
