package store

import (
	"context"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/attest"
	"github.com/skaldrpg/skald/pkg/logtree"
	"github.com/skaldrpg/skald/pkg/projection"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	"github.com/skaldrpg/skald/services/encounter/internal/replica"
)

// putIndex stores the index of a Commit and hangs it into the tree.
func putIndex(tx *projection.Tx, n aggregate.Name, key []byte, a *replica.Applied) error {
	x := index(a)
	at, err := treeOf(tx).Grow(attest.Leaf(attest.Head{Table: n.Table, Encounter: n.ID, Number: a.Commit.Header.Version, Hash: a.Commit.Hash}))
	if err != nil {
		return err
	}
	x.Leaf = uint64(at) //nolint:gosec // a count
	return aggregate.Put(tx, indexes, key, x)
}

// treeOf is the tree over every Commit of the stream.
func treeOf(tx *projection.Tx) logtree.Tree { return logtree.Tree{Tx: tx} }

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
		var err error
		at, root, proof, ok, err = treeOf(tx).Head(size, since)
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
		if index = int64(x.Leaf); !found { //nolint:gosec // a count
			return nil
		}
		at, proof, ok, err = treeOf(tx).Prove(index, size)
		return err
	})
	return index, at, proof, ok, err
}
