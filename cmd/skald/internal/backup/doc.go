// Package backup takes copies of the log out of a running or stopped suite, and
// makes a suite's log again from one.
//
// It must never write over anything that exists, and never say that a copy is good
// without having read it.
package backup
