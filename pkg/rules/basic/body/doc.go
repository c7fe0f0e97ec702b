// Package body holds what a creature is before anybody acts: sheet, space, items,
// conditions, situations and the tables of the document.
//
// It must never order a round or deal a blow.
package body
