// Package body holds what a creature is before anybody acts: sheet, conditions,
// the tables and settings of the supplement.
//
// It must never roll a die or order a turn.
package body
