// Package store is the dice service's projection: epochs with their sealed
// roots, tapes in the order they were opened, and spent branches, folded from
// the log into bbolt. It is a cache: deleting the file costs a replay.
//
// It must never hold an unsealed root or a seed, and never decide anything: what
// the log says is folded as it stands, and what does not follow is an error.
package store
