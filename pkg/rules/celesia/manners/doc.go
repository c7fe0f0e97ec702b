// Package manners holds in what manner a blow may be struck: trade-offs, several
// weapons, firearms, extra attacks.
//
// It must never roll to hit.
package manners
