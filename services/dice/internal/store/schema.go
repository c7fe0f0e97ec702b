package store

import (
	"encoding/binary"

	"github.com/skaldrpg/skald/pkg/projection"
	"github.com/skaldrpg/skald/services/dice/internal/record"
)

// Schema is the version of the layout below; a file of another is built anew.
const Schema = "dice-2"

// Buckets. Keys begin with the encounter's key and a zero byte, which ids can
// not hold; numbers have the most significant byte first, so that they sort.
const (
	bucketHeads  projection.Bucket = "heads"  // key -> StoredHead
	bucketEpochs projection.Bucket = "epochs" // key, epoch -> EpochRecord
	bucketSpent  projection.Bucket = "spent"  // key, epoch, branch -> nothing
	bucketTapes  projection.Bucket = "tapes"  // key, ordinal from 1 -> Tape
	bucketSeen   projection.Bucket = "seen"   // key, epoch, action, purpose, branch -> ordinal
)

// prefix is what all keys of an encounter begin with.
func prefix(k record.Key) []byte { return append([]byte(k.String()), 0) }

func epochKey(k record.Key, epoch uint32) []byte {
	return binary.BigEndian.AppendUint32(prefix(k), epoch)
}

func spentKey(k record.Key, epoch uint32, branch string) []byte {
	return append(epochKey(k, epoch), branch...)
}

func tapeKey(k record.Key, ordinal uint64) []byte {
	return binary.BigEndian.AppendUint64(prefix(k), ordinal)
}

func seenKey(k record.Key, t record.TapeID) []byte {
	b := binary.BigEndian.AppendUint64(epochKey(k, t.Epoch), t.Action)
	return append(binary.BigEndian.AppendUint32(b, uint32(t.Purpose)), t.Branch...)
}
