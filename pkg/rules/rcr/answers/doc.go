// Package answers holds opportunity attacks, readied and legendary actions,
// initiative and surprise.
//
// It must never decide how a blow falls.
package answers
