// Package injury holds injury and death: what harm, healing, treatment and time do to
// a body.
//
// It must never order acts, and never know who has the turn.
package injury
