// Package body holds what a creature of the Original Edition is before anybody
// strikes: the sheet, abilities, armour, items, conditions and the tables of the
// document.
//
// It must never order a round or deal a blow.
package body
