package store

import (
	"cmp"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/limits"
	"github.com/skaldrpg/skald/pkg/projection"
	"github.com/skaldrpg/skald/pkg/recent"
	"github.com/skaldrpg/skald/pkg/tombstone"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"github.com/skaldrpg/skald/services/encounter/internal/replica"
)

// Fold makes the content. It is used by one projection, from one goroutine.
type Fold struct {
	live *recent.Cache[aggregate.Name, *live]

	holes    []tombstone.Leaf             // Commits that were removed, in the order of the log
	foreseen map[uint64]bool              // tombstones that they are of
	buried   map[string]map[string]uint64 // by table that was deleted and encounter, the version that was folded
	filled   uint64                       // sequence below which they are made up for; 0 after a transaction that failed
}

// live is an encounter that the fold keeps in memory, since it is likely to be
// folded again soon.
type live struct {
	replica *replica.Replica
	meter   replica.Meter
	bytes   int64
	// Versions at which the last snapshot, and the last folds of views, were stored.
	snapshot, states uint64
	sheets           map[*eventv1.Sheet][]byte // digests of sheets that are stored
}

// NewFold makes a fold with nothing in memory that keeps at most so many bytes
// of encounters there, and always the one folded last; 0 means
// limits.FoldMemoryBytes.
func NewFold(memory int64) *Fold {
	return &Fold{buried: map[string]map[string]uint64{}, live: recent.NewCache(recent.Bounds[aggregate.Name, *live]{Bytes: cmp.Or(memory, limits.FoldMemoryBytes),
		Size: func(_ aggregate.Name, l *live) int64 { return l.bytes }})}
}

// Forget drops the replicas in memory (projection.Forgetful).
func (f *Fold) Forget() {
	f.live.Clear()
	f.filled = 0
}

// replica finds an encounter in memory or loads it.
func (f *Fold) replica(tx *projection.Tx, n aggregate.Name) (*live, error) {
	if l, ok := f.live.Get(n); ok {
		return l, nil
	}
	r, err := load(tx, n.Table, n.ID, newest)
	if err != nil {
		return nil, err
	}
	l := &live{replica: r}
	prefix := projection.Key(n.Table, n.ID)
	if k, _ := tx.LastBefore(snapshots, prefix, projection.Key(n.Table, n.ID, newest)); k != nil {
		l.snapshot = projection.Number(k)
	}
	if k, _ := tx.LastBefore(states, projection.Key(n.Table, n.ID, aggregate.ViewerGM), stateKey(prefix, aggregate.ViewerGM, newest)); k != nil {
		l.states = projection.Number(k)
	}
	l.bytes = l.meter.Measure(r)
	f.live.Put(n, l)
	return l, nil
}

// applied takes account of a Commit of so many bytes.
func (f *Fold) applied(n aggregate.Name, l *live, commit int) {
	l.bytes = l.meter.Applied(l.replica, commit)
	f.live.Put(n, l)
}
