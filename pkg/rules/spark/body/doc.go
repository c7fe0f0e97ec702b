// Package body holds what a creature is before anybody acts: sheet, weapons,
// stance, space, conditions and the tables of the document.
//
// It must never resolve a declaration.
package body
