// Package decided keeps a digest of what each test of a package came to, in a file beside
// the tests, and says which comes out otherwise than when it was written.
//
// It is test support. A digest is what came out before, not what is right: it must never
// take the place of an expectation.
package decided
