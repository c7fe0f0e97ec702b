// Package barding holds the armour of mounts: putting it on and taking it off, and
// what it weighs and costs. What it gives to armour class and rolls stands in body
// and with the situations of the book.
//
// It must never roll a die.
package barding
