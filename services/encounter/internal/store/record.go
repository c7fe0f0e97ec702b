package store

import (
	"context"
	"encoding/binary"
	"fmt"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/attest"
	"github.com/skaldrpg/skald/pkg/projection"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	"github.com/skaldrpg/skald/services/encounter/internal/replica"
)

// The tree over every Commit of the stream. Its hashes lie in the order of package
// tlog: place -> hash.
const (
	leaves projection.Bucket = "leaves" // -> how many Commits the tree holds, under sizeKey
	tree   projection.Bucket = "tree"
)

var sizeKey = projection.Key("size")

// putIndex stores the index of a Commit and hangs it into the tree.
func putIndex(tx *projection.Tx, n aggregate.Name, key []byte, a *replica.Applied) error {
	x := index(a)
	x.Leaf = uint64(treeSize(tx))                                                                                       //nolint:gosec // a count
	if err := grow(tx, int64(x.Leaf), attest.Leaf(n.Table, n.ID, a.Commit.Header.Version, a.Commit.Hash)); err != nil { //nolint:gosec // a count
		return err
	}
	return aggregate.Put(tx, indexes, key, x)
}

func treeSize(tx *projection.Tx) int64 {
	data := tx.Get(leaves, sizeKey)
	if len(data) != 8 {
		return 0
	}
	return int64(binary.BigEndian.Uint64(data)) //nolint:gosec // a count
}

// grow adds a leaf at a place, the first that is free.
func grow(tx *projection.Tx, at int64, leaf []byte) error {
	return growHash(tx, at, tlog.RecordHash(leaf))
}

// growHash is grow for a leaf of which the hash is known.
func growHash(tx *projection.Tx, at int64, leaf tlog.Hash) error {
	fresh, err := tlog.StoredHashesForRecordHash(at, leaf, treeReader(tx))
	if err != nil {
		return fmt.Errorf("store: tree: %w", err)
	}
	place := tlog.StoredHashCount(at)
	for i, h := range fresh {
		if err := tx.Put(tree, projection.Key(uint64(place)+uint64(i)), h[:]); err != nil { //nolint:gosec // a count
			return err
		}
	}
	return tx.Put(leaves, sizeKey, binary.BigEndian.AppendUint64(nil, uint64(at+1))) //nolint:gosec // a count
}

func treeReader(tx *projection.Tx) tlog.HashReader {
	return tlog.HashReaderFunc(func(places []int64) ([]tlog.Hash, error) {
		out := make([]tlog.Hash, len(places))
		for i, p := range places {
			data := tx.Get(tree, projection.Key(uint64(p))) //nolint:gosec // a count
			if len(data) != tlog.HashSize {
				return nil, fmt.Errorf("store: the tree has no hash %d", p)
			}
			copy(out[i][:], data)
		}
		return out, nil
	})
}

// transcripts are those of an index by view.
func transcripts(x *encounterv1.StoredIndex) map[string][]byte {
	out := make(map[string][]byte, len(x.Transcripts))
	for _, t := range x.Transcripts {
		out[t.Viewer] = t.Transcript
	}
	return out
}

// Tree is the hash of the tree over the stream at a size, 0 for all that is stored,
// and the proof that it extends itself at an earlier size, unless that is 0. ok is
// false when it was never of such a size.
func (s Reader) Tree(size, since int64) (at int64, root tlog.Hash, proof []tlog.Hash, ok bool, err error) {
	err = s.P.View(func(tx *projection.Tx) error {
		now := treeSize(tx)
		if at = size; size == 0 {
			at = now
		}
		if ok = at <= now && since <= at; !ok || at == 0 {
			return nil
		}
		var err error
		if root, err = tlog.TreeHash(at, treeReader(tx)); err == nil && since > 0 {
			proof, err = tlog.ProveTree(at, since, treeReader(tx))
		}
		return err
	})
	return at, root, proof, ok, err
}

// Inclusion proves that the Commit of a version lies in the tree at a size, 0 for
// all that is stored. ok is false when the tree of that size does not hold it.
func (s Reader) Inclusion(ctx context.Context, table, id string, version uint64, size int64) (index, at int64, proof []tlog.Hash, ok bool, err error) {
	if err := s.await(ctx, table, id, version); err != nil {
		return 0, 0, nil, false, err
	}
	err = s.P.View(func(tx *projection.Tx) error {
		x := &encounterv1.StoredIndex{}
		found, err := aggregate.Get(tx, indexes, projection.Key(table, id, version), x)
		if err != nil {
			return err
		}
		now := treeSize(tx)
		if at = size; size == 0 {
			at = now
		}
		index = int64(x.Leaf) //nolint:gosec // a count
		if ok = found && index < at && at <= now; !ok {
			return nil
		}
		proof, err = tlog.ProveRecord(at, index, treeReader(tx))
		return err
	})
	return index, at, proof, ok, err
}
