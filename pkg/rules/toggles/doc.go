// Package toggles makes the settings of a rule system: those that are rules of
// its catalogue take title, text and default from there, so that each stands in
// the book alone; the system states the rest.
//
// It must never decide what a setting means, and it reads the catalogue at the
// first question only: a program that plays one system does not read five.
package toggles
