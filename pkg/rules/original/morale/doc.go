// Package morale holds reactions and morale of groups.
//
// It must never deal a blow.
package morale
