// Package magic holds spells, what lasts of them, and care of the wounded.
//
// It must never order acts.
package magic
