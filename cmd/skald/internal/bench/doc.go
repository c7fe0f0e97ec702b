// Package bench measures the suite beside what the machine allows: every figure with
// its floor (package benchfloor, a raw bbolt file, a program that does nothing) in the
// same run, the two in turns, so that ratios mean something on a machine that others
// use. One file holds one figure.
//
// It runs on a suite of its own in a temporary folder, synced as a server's is, and
// by rules of its own (system.go), which are the least that a fight needs: what is
// measured are the services.
//
// It must never touch a data folder or a server of anybody's, nor leave anything behind.
package bench
