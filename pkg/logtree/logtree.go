package logtree

import (
	"encoding/binary"
	"fmt"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/skaldrpg/skald/pkg/projection"
)

// Buckets of trees, for the folds that keep some.
const (
	// Leaves: beginning, "size" -> how many Commits a tree holds.
	Leaves projection.Bucket = "leaves"
	// Nodes: beginning, place in the order of package tlog -> hash.
	Nodes projection.Bucket = "tree"
)

var sizeKey = projection.Key("size")

// Tree is one tree within a transaction.
type Tree struct {
	// Tx reads, and writes where the tree grows.
	Tx *projection.Tx
	// Of is the beginning of its keys; empty for the only tree of a projection.
	Of []byte
}

func (t Tree) key(rest []byte) []byte { return append(t.Of[:len(t.Of):len(t.Of)], rest...) }

// Size is how many leaves it has.
func (t Tree) Size() int64 {
	data := t.Tx.Get(Leaves, t.key(sizeKey))
	if len(data) != 8 {
		return 0
	}
	return int64(binary.BigEndian.Uint64(data)) //nolint:gosec // a count
}

// Grow adds a leaf and returns its place.
func (t Tree) Grow(leaf []byte) (int64, error) { return t.GrowHash(tlog.RecordHash(leaf)) }

// GrowHash is Grow for a leaf of which the hash is known.
func (t Tree) GrowHash(leaf tlog.Hash) (int64, error) {
	at := t.Size()
	fresh, err := tlog.StoredHashesForRecordHash(at, leaf, t.reader())
	if err != nil {
		return at, fmt.Errorf("logtree: %w", err)
	}
	place := tlog.StoredHashCount(at)
	for i, h := range fresh {
		if err := t.Tx.Put(Nodes, t.key(projection.Key(uint64(place)+uint64(i))), h[:]); err != nil { //nolint:gosec // a count
			return at, err
		}
	}
	return at, t.Tx.Put(Leaves, t.key(sizeKey), binary.BigEndian.AppendUint64(nil, uint64(at+1))) //nolint:gosec // a count
}

func (t Tree) reader() tlog.HashReader {
	return tlog.HashReaderFunc(func(places []int64) ([]tlog.Hash, error) {
		out := make([]tlog.Hash, len(places))
		for i, p := range places {
			data := t.Tx.Get(Nodes, t.key(projection.Key(uint64(p)))) //nolint:gosec // a count
			if len(data) != tlog.HashSize {
				return nil, fmt.Errorf("logtree: the tree has no hash %d", p)
			}
			copy(out[i][:], data)
		}
		return out, nil
	})
}

// Head is its hash at a size, 0 for all that it holds, and the proof that it extends
// itself at an earlier size, unless that is 0. ok is false when it was never of such a
// size.
func (t Tree) Head(size, since int64) (at int64, root tlog.Hash, proof []tlog.Hash, ok bool, err error) {
	now := t.Size()
	if at = size; size == 0 {
		at = now
	}
	if ok = at <= now && since <= at; !ok || at == 0 {
		return at, root, nil, ok, nil
	}
	if root, err = tlog.TreeHash(at, t.reader()); err == nil && since > 0 {
		proof, err = tlog.ProveTree(at, since, t.reader())
	}
	return at, root, proof, ok, err
}

// Prove proves that the leaf at a place lies in the tree at a size, 0 for all that it
// holds. ok is false when the tree of that size does not hold it.
func (t Tree) Prove(place, size int64) (at int64, proof []tlog.Hash, ok bool, err error) {
	now := t.Size()
	if at = size; size == 0 {
		at = now
	}
	if ok = place < at && at <= now; !ok {
		return at, nil, false, nil
	}
	proof, err = tlog.ProveRecord(at, place, t.reader())
	return at, proof, ok, err
}
