// Package verify decides recorded patients again, from their Commits alone: the
// code that decides deeds runs once more on what each took from outside, and what it
// comes to is compared with what is on record, field for field. It needs no server;
// what is recorded is folded into a file of its own, which is worth nothing
// afterwards.
//
// It must never decide anything by code of its own, and never call a Commit
// checked that it could not decide again.
package verify
