// Package tape turns a secret into faces: a tree of keys, one tape of faces for
// every address, commitments published beforehand, and verification afterwards
// by anybody who is shown a branch.
//
// A table trusts the faces because the server bound itself to every branch
// before the fight (Commitment), players could add to it (Entropy), and each
// face follows from where it stands (Address), never from when or how often
// somebody rolled. An action inserted, dropped or amended therefore moves no
// other roll.
//
// Invariants:
//
//	T1  A face depends on the tape key, the purpose, the address and its place
//	    on the tape, and on nothing else.
//	T2  Encodings are unambiguous: different inputs never give the same bytes.
//	T3  Every use of a key has a domain string of its own, so that nothing
//	    published (a commitment, a face, another branch) leads to a key.
//	T4  Purposes have tapes of their own: a preview or a fork never shows a
//	    face that will be used.
//	T5  Secrets do not print: their String methods hide them.
//
// The package has no randomness and no clock: random bytes come from a reader
// that the caller passes in. It never decides an address; whatever a caller of
// the service may choose must not enter one, or luck could be shopped for.
//
// The byte layouts and test vectors are in docs/DICE.md.
package tape
