// Package master holds the master keys that seal the roots of dice at rest: the
// current one, which seals, and old ones, which still open what they sealed.
//
// Keys come from a file that only its owner can read, or from the environment.
// The package must never print a key, and never make a new one where an old one
// is missing: that is the caller's decision, since it may mean that dice are lost.
package master
