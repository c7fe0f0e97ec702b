// Package verify decides a recorded encounter again, from its Commits alone: the
// code that decides commands runs once more on what each command took from
// outside, and what it comes to is compared with what is on record, part for part
// and field for field. It needs no server and no store.
//
// It must never decide anything by code of its own, and never call a Commit
// checked that it could not decide again.
package verify
