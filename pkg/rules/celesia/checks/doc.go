// Package checks holds rolls: circumstances, skills, abilities and what spoils
// them.
//
// It must never order acts.
package checks
