package store

import (
	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/projection"
	"github.com/skaldrpg/skald/services/dice/internal/record"
)

// Schema is the version of the layout below; a file of another is built anew.
const Schema = "dice-3"

// Buckets. Keys begin with table and encounter (aggregate.Name.Key).
const (
	bucketHeads  projection.Bucket = "heads"  // -> StoredHead
	bucketEpochs projection.Bucket = "epochs" // epoch -> EpochRecord
	bucketSpent  projection.Bucket = "spent"  // epoch, branch -> BranchRevealed
	bucketTapes  projection.Bucket = "tapes"  // ordinal from 1 -> Tape
	bucketSeen   projection.Bucket = "seen"   // epoch, action, purpose, branch -> nothing
)

func spentKey(n aggregate.Name, epoch uint32, branch string) []byte {
	return n.Key(epoch, []byte(branch))
}

func seenKey(n aggregate.Name, t record.TapeID) []byte {
	return n.Key(t.Epoch, t.Action, uint32(t.Purpose), []byte(t.Branch)) //nolint:gosec // an enum
}
