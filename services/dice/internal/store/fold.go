package store

import (
	"fmt"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/projection"
	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
	"github.com/skaldrpg/skald/services/dice/internal/record"
)

// fold implements projection.Fold.
type fold struct{}

func (fold) Buckets() []projection.Bucket {
	return []projection.Bucket{bucketHeads, bucketEpochs, bucketSpent, bucketLeaves, bucketTapes, bucketSeen}
}

// Apply fails with aggregate.ErrBroken when the record does not follow the one
// before, and passes over one on a subject that is nobody's.
func (fold) Apply(tx *projection.Tx, stored journal.Record) error {
	n, err := record.Named(stored.Subject)
	if err != nil {
		return projection.ErrForeign
	}
	f := folder{tx: tx, name: n}
	head := &dicev1.StoredHead{}
	if _, err := aggregate.Get(tx, bucketHeads, n.Key(), head); err != nil {
		return err
	}
	r, after, err := record.Decode(headOf(head), stored)
	if err != nil {
		return err
	}
	for _, e := range r.GetEntries() {
		if err := f.entry(e, head); err != nil {
			return fmt.Errorf("store: %s at %d: %w", stored.Subject, stored.Seq, err)
		}
	}
	head.Version, head.Sequence, head.Hash = after.Version, after.Sequence, after.Hash
	return aggregate.Put(tx, bucketHeads, n.Key(), head)
}

func headOf(h *dicev1.StoredHead) aggregate.Head {
	return aggregate.Head{Version: h.GetVersion(), Sequence: h.GetSequence(), Hash: h.GetHash()}
}

// folder folds into one encounter.
type folder struct {
	tx   *projection.Tx
	name aggregate.Name
}

func (f folder) entry(e *dicev1.RecordEntry, head *dicev1.StoredHead) error {
	switch what := e.GetWhat().(type) {
	case *dicev1.RecordEntry_Epoch:
		key := f.name.Key(what.Epoch.GetEpoch())
		if f.tx.Get(bucketEpochs, key) != nil { // the first record of an epoch stands
			return nil
		}
		return aggregate.Put(f.tx, bucketEpochs, key, what.Epoch)
	case *dicev1.RecordEntry_Entropy:
		return f.closed(what.Entropy)
	case *dicev1.RecordEntry_Revealed:
		if what.Revealed.GetAction() > 0 { // the branch goes on
			return aggregate.Put(f.tx, bucketLeaves, leafKey(f.name, what.Revealed), what.Revealed)
		}
		return aggregate.Put(f.tx, bucketSpent, spentKey(f.name, what.Revealed.GetEpoch(), what.Revealed.GetBranch()), what.Revealed)
	case *dicev1.RecordEntry_Tape:
		return f.tape(what.Tape, e.GetUnixMillis(), head)
	}
	return nil
}

// closed notes what was mixed into an epoch that had been left open.
func (f folder) closed(fixed *dicev1.EntropyFixed) error {
	key, r := f.name.Key(fixed.GetEpoch()), &dicev1.EpochRecord{}
	if found, err := aggregate.Get(f.tx, bucketEpochs, key, r); err != nil || !found {
		return err
	}
	r.Entropy, r.Open = fixed.GetEntropy(), false
	return aggregate.Put(f.tx, bucketEpochs, key, r)
}

func (f folder) tape(t *dicev1.TapeOpened, millis int64, head *dicev1.StoredHead) error {
	seen := seenKey(f.name, record.IDOf(t))
	if f.tx.Get(bucketSeen, seen) != nil {
		return nil
	}
	head.Tapes++
	if err := f.tx.Put(bucketSeen, seen, []byte{}); err != nil {
		return err
	}
	return aggregate.Put(f.tx, bucketTapes, f.name.Key(head.Tapes), &dicev1.Tape{Epoch: t.GetEpoch(), Action: t.GetAction(),
		Branch: t.GetBranch(), Purpose: t.GetPurpose(), UnixMillis: millis})
}
