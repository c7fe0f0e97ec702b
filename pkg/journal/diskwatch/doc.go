// Package diskwatch watches the disk under a folder: how much room it has, and
// whether a small write comes back. It keeps a reserve there, a file of real
// blocks that is given up when the disk is full all the same, so that what is
// being written can end.
//
// It must never write anything but its two files, nor decide what a state means
// for those who write: they ask it, or wait for a change.
package diskwatch
