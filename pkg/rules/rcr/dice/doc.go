// Package dice holds how dice are rolled: advantage, inspiration, delayed rolls,
// changes that spells make.
//
// It must never deal damage.
package dice
