// Package damage holds the damage matrix: every kind of file in a data folder,
// damaged in every way, after clean and unclean stops. The suite must then serve
// exactly what was acknowledged, or refuse with the file, what is missing and the
// command that mends; and after mending nothing that any copy held may be missing.
//
// It is tests only, and must never be imported.
package damage
