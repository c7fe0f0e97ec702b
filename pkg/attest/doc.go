// Package attest is what a server can be held to, in the form that both sides
// use: transcripts of what a viewer was told and their words, heads and
// checkpoints as signed notes, and the keys that sign them. docs/RECORD.md
// describes each for readers in other languages.
//
// It must never know what an encounter is, ask a server, or decide by itself
// which key to believe.
package attest
