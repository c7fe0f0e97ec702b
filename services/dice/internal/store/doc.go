// Package store is the dice service's projection: epochs with their sealed
// roots and what was mixed into them, tapes in the order they were opened, spent
// branches and actions that were opened one by one, folded from
// the log into bbolt. It is a cache: deleting the file costs a replay.
//
// It must never hold an unsealed root or a seed, and never decide anything: what
// the log says is folded as it stands, and what does not follow is an error.
package store
