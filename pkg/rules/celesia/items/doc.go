// Package items holds what is done with hands, shields and devices.
//
// It must never order acts.
package items
