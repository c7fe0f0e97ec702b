// Package reach holds surprise, missiles and what stands within reach of whom.
//
// It must never deal damage.
package reach
