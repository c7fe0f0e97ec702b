// Package shelf is the packs of tables as the encounter service handles them: it
// puts them into the log, lists them, finds those that a new encounter names, and
// gives each encounter the book of those that it pinned. Packs that the server
// offers to every table come into a table's log when the table first uses them.
//
// It must never change a pack, and never let an encounter name one that is not in
// its table's log: what is decided by it must be decided the same elsewhere.
package shelf
