package store

import (
	"encoding/binary"
	"fmt"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/projection"
	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
	"github.com/skaldrpg/skald/services/dice/internal/record"
)

// fold implements projection.Fold.
type fold struct{}

func (fold) Buckets() []projection.Bucket {
	return []projection.Bucket{bucketHeads, bucketEpochs, bucketSpent, bucketTapes, bucketSeen}
}

// Apply fails with record.ErrBroken when the record does not follow the one
// before, and passes over one on a subject that is nobody's.
func (fold) Apply(tx *projection.Tx, stored journal.Record) error {
	key, err := record.KeyOf(stored.Subject)
	if err != nil {
		return projection.ErrForeign
	}
	f := folder{tx: tx, key: key}
	head, err := f.head()
	if err != nil {
		return err
	}
	before := record.Head{Version: head.GetVersion(), Sequence: head.GetSequence(), Hash: head.GetHash()}
	r, after, err := record.Decode(before, stored)
	if err != nil {
		return err
	}
	for _, e := range r.GetEntries() {
		if err := f.entry(e, head); err != nil {
			return fmt.Errorf("store: %s at %d: %w", stored.Subject, stored.Seq, err)
		}
	}
	head.Version, head.Sequence, head.Hash = after.Version, after.Sequence, after.Hash
	return f.put(bucketHeads, prefix(key), head)
}

// folder folds into one encounter.
type folder struct {
	tx  *projection.Tx
	key record.Key
}

func (f folder) head() (*dicev1.StoredHead, error) {
	h := &dicev1.StoredHead{}
	if err := proto.Unmarshal(f.tx.Get(bucketHeads, prefix(f.key)), h); err != nil {
		return nil, fmt.Errorf("store: head of %s: %w", f.key, err)
	}
	return h, nil
}

func (f folder) put(bucket projection.Bucket, key []byte, m proto.Message) error {
	data, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
	if err != nil {
		return fmt.Errorf("store: %w", err)
	}
	return f.tx.Put(bucket, key, data)
}

func (f folder) entry(e *dicev1.RecordEntry, head *dicev1.StoredHead) error {
	switch what := e.GetWhat().(type) {
	case *dicev1.RecordEntry_Epoch:
		key := epochKey(f.key, what.Epoch.GetEpoch())
		if f.tx.Get(bucketEpochs, key) != nil { // the first record of an epoch stands
			return nil
		}
		return f.put(bucketEpochs, key, what.Epoch)
	case *dicev1.RecordEntry_Revealed:
		return f.tx.Put(bucketSpent, spentKey(f.key, what.Revealed.GetEpoch(), what.Revealed.GetBranch()), []byte{})
	case *dicev1.RecordEntry_Tape:
		return f.tape(what.Tape, e.GetUnixMillis(), head)
	}
	return nil
}

func (f folder) tape(t *dicev1.TapeOpened, millis int64, head *dicev1.StoredHead) error {
	seen := seenKey(f.key, record.IDOf(t))
	if f.tx.Get(bucketSeen, seen) != nil {
		return nil
	}
	head.Tapes++
	if err := f.tx.Put(bucketSeen, seen, binary.BigEndian.AppendUint64(nil, head.Tapes)); err != nil {
		return err
	}
	return f.put(bucketTapes, tapeKey(f.key, head.Tapes), &dicev1.Tape{Epoch: t.GetEpoch(), Action: t.GetAction(),
		Branch: t.GetBranch(), Purpose: t.GetPurpose(), UnixMillis: millis})
}
