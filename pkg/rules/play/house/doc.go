// Package house carries out what a table's own content does, for every rule system
// in the same way: modifiers, edges, dice rolled again, numbers that are set, damage
// that is kept off, speeds, and what is set off by what happens. Everything that took
// part is cited.
//
// A system asks at the places where its own rules count, and gives by [Hands] what
// only it can do. The package must never know a rule system, and must not change
// anything where an encounter has no content.
package house
