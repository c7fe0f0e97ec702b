// Package rest holds rests and deeds between fights.
//
// It must never know an encounter's turns.
package rest
