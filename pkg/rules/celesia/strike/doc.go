// Package strike holds attacks in every manner that the document knows.
//
// It must never order acts.
package strike
