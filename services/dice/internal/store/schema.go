package store

import (
	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/projection"
	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
	"github.com/skaldrpg/skald/services/dice/internal/record"
)

// Schema is the version of the layout below; a file of another is built anew.
const Schema = "dice-4"

// Buckets. Keys begin with table and encounter (aggregate.Name.Key).
const (
	bucketHeads  projection.Bucket = "heads"  // -> StoredHead
	bucketEpochs projection.Bucket = "epochs" // epoch -> EpochRecord, with its entropy as it stands
	bucketSpent  projection.Bucket = "spent"  // epoch, branch -> BranchRevealed
	bucketLeaves projection.Bucket = "leaves" // epoch, action, branch -> BranchRevealed
	bucketTapes  projection.Bucket = "tapes"  // ordinal from 1 -> Tape
	bucketSeen   projection.Bucket = "seen"   // epoch, action, purpose, branch -> nothing
)

func spentKey(n aggregate.Name, epoch uint32, branch string) []byte {
	return n.Key(epoch, []byte(branch))
}

func leafKey(n aggregate.Name, r *dicev1.BranchRevealed) []byte {
	return n.Key(r.GetEpoch(), r.GetAction(), []byte(r.GetBranch()))
}

func seenKey(n aggregate.Name, t record.TapeID) []byte {
	return n.Key(t.Epoch, t.Action, uint32(t.Purpose), []byte(t.Branch)) //nolint:gosec // an enum
}
