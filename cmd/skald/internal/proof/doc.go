// Package proof checks an export of an encounter without trusting the server
// that wrote it: the chain of Commits, the digests of their parts, the seeds
// that were committed to before the fight, and every face rolled under a seed
// that has been revealed.
//
// It must never ask a server anything.
package proof
