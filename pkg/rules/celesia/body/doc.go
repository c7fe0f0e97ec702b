// Package body holds what a creature is before anybody acts: sheet, load, space,
// things, conditions, injuries and the tables of the document.
//
// It must never roll to hit or order acts.
package body
