// Package answers holds reactions, readied and begun actions, initiative and
// tasks over several turns.
//
// It must never decide how a blow falls.
package answers
