// Package erase deletes tables: it looks what a table holds, writes a signed
// tombstone in its place, and then removes from the log what the tombstone lists.
//
// Every step may be the last that a process takes: called again, or at the next
// start, the work goes on from what the log says.
//
// It must never remove a record that no tombstone in the log lists, nor anything of
// another table, and never write a tombstone without a key that signs it.
package erase
