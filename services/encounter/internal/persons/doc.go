// Package persons keeps what people at a table are called: a file for each person in
// a folder, apart from the journal, so that a name that is replaced or forgotten is
// gone with its file.
//
// It must never write a name anywhere else, neither into a Commit nor into a log, and
// never decide who may set one.
package persons
