package store

import (
	"bytes"
	"errors"
	"slices"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/logtree"
	"github.com/skaldrpg/skald/pkg/projection"
	"github.com/skaldrpg/skald/pkg/tombstone"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
)

// The tree over the stream holds every Commit that was ever stored, also those of
// deleted tables: who kept a checkpoint must find it in the tree for ever. A fold
// that does not meet such a Commit any more takes its hash from the tombstone.

var (
	_ projection.Shares   = (*Fold)(nil)
	_ projection.Foresees = (*Fold)(nil)
)

// Shared is projection.Shares.Shared.
func (*Fold) Shared() []projection.Bucket {
	return []projection.Bucket{agenda, logtree.Leaves, logtree.Nodes}
}

// Erase is projection.Shares.Erase.
func (f *Fold) Erase(tx *projection.Tx, t *tombstone.Record) error {
	f.live.Clear()
	if err := f.complete(tx, t); err != nil {
		return err
	}
	var due [][]byte
	err := tx.Scan(dues, projection.Key(t.Table), nil, func(k, v []byte) (bool, error) {
		due = append(due, append(bytes.Clone(v), k...))
		return true, nil
	})
	for _, k := range due {
		err = errors.Join(err, tx.Delete(agenda, k))
	}
	return err
}

// complete asks for another build of the file when Commits were removed from the log
// before they were folded: then their places in the tree were not kept. A further
// tombstone tells of Commits that were stored beside the first: what was folded of
// them is remembered from there on, in memory alone.
func (f *Fold) complete(tx *projection.Tx, t *tombstone.Record) error {
	if f.foreseen[t.Sequence] {
		return nil
	}
	held := map[string]uint64{}
	if err := EachHead(tx, t.Table, func(h *encounterv1.StoredHead) { held[h.Encounter] = h.Version }); err != nil {
		return err
	}
	if before, again := f.buried[t.Table]; again && len(held) == 0 {
		held = before
	}
	f.buried[t.Table] = held
	for _, c := range t.Chains {
		if c.Kind == string(aggregate.Encounter) && held[c.ID] < c.Version {
			tx.Incomplete("Commits of a deleted table were removed before they were folded")
			return nil
		}
	}
	return nil
}

// Foresee is projection.Foresees.Foresee.
func (f *Fold) Foresee(all []*tombstone.Record) {
	f.holes, f.foreseen = nil, map[uint64]bool{}
	for _, t := range all {
		f.foreseen[t.Sequence] = true
		f.holes = append(f.holes, t.Hashes...)
	}
	slices.SortFunc(f.holes, func(a, b tombstone.Leaf) int {
		switch {
		case a.Sequence < b.Sequence:
			return -1
		case a.Sequence > b.Sequence:
			return 1
		}
		return 0
	})
	// A tombstone that is there twice, put there again by whoever may write to the
	// log, tells of nothing new.
	f.holes = slices.CompactFunc(f.holes, func(a, b tombstone.Leaf) bool { return a.Sequence == b.Sequence })
}

// Fill is projection.Foresees.Fill.
func (f *Fold) Fill(tx *projection.Tx, before uint64) error {
	if len(f.holes) == 0 || before == 0 {
		return nil
	}
	after := max(f.filled, tx.Checkpoint())
	i, _ := slices.BinarySearchFunc(f.holes, after+1, func(l tombstone.Leaf, seq uint64) int {
		switch {
		case l.Sequence < seq:
			return -1
		case l.Sequence > seq:
			return 1
		}
		return 0
	})
	for ; i < len(f.holes) && f.holes[i].Sequence < before; i++ {
		if _, err := treeOf(tx).GrowHash(f.holes[i].Hash); err != nil {
			return err
		}
	}
	f.filled = max(f.filled, before)
	return nil
}

// EachHead calls fn for where each encounter of a table stands, in order of ids, or of
// every table where none is named.
func EachHead(tx *projection.Tx, table string, fn func(*encounterv1.StoredHead)) error {
	var of []byte
	if table != "" {
		of = projection.Key(table)
	}
	return aggregate.Each(tx, heads, of, nil, func(_ []byte, h *encounterv1.StoredHead) (bool, error) {
		fn(h)
		return true, nil
	})
}
