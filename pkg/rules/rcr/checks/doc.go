// Package checks holds ability checks, senses, hiding, hands and tasks.
//
// It must never deal damage.
package checks
