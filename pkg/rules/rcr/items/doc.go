// Package items holds what is done with items.
//
// It must never order a turn.
package items
