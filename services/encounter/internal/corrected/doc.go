// Package corrected says what a ruling made of a history: which commands came out
// otherwise, which no longer count, which are new, each with its events before and
// now and with who may hear them.
//
// It reads what is stored and folds it. It must never decide anything, and never
// show an event to a viewer who may not hear it.
package corrected
