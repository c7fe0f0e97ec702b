// Package declaring holds what can be declared and with what words.
//
// It must never resolve a declaration.
package declaring
