package store

import (
	"context"
	"errors"
	"fmt"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/library"
	"github.com/skaldrpg/skald/pkg/limits"
	"github.com/skaldrpg/skald/pkg/projection"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
)

// The buckets of packs, and their keys: table, digest.
const (
	// Packs holds the records of packs as stored.
	Packs projection.Bucket = "packs"
	shelf projection.Bucket = "shelf" // -> StoredPack
)

// applyPack folds the record of a pack. The first on a subject stands for ever;
// what came after it can only be the same pack once more.
func applyPack(tx *projection.Tx, rec journal.Record) error {
	r, digest, err := library.Open(rec)
	if err != nil {
		return err
	}
	key := projection.Key(r.Table, digest)
	if tx.Get(Packs, key) != nil {
		return nil
	}
	summary, err := library.Summary(r)
	if err != nil {
		return err
	}
	return errors.Join(tx.Put(Packs, key, rec.Data), aggregate.Put(tx, shelf, key, &encounterv1.StoredPack{Summary: summary, Sequence: rec.Seq}))
}

// Pack finds the record of a pack as stored; false when the projection has none.
func (s Reader) Pack(table, digest string) (data []byte, ok bool, err error) {
	err = s.P.View(func(tx *projection.Tx) error {
		data = tx.Get(Packs, projection.Key(table, digest))
		return nil
	})
	return data, data != nil, err
}

// PackSummaries lists the packs of a table by digest.
func (s Reader) PackSummaries(table string) (out []*encounterv1.StoredPack, err error) {
	err = s.P.View(func(tx *projection.Tx) error {
		out = nil
		return tx.Scan(shelf, projection.Key(table), nil, func(_, v []byte) (bool, error) {
			p := &encounterv1.StoredPack{}
			if err := proto.Unmarshal(v, p); err != nil {
				return false, fmt.Errorf("store: packs of table %q: %w", table, err)
			}
			out = append(out, p)
			return len(out) < 2*limits.TablePacks, nil
		})
	})
	return out, err
}

// Applied is the stream sequence up to which records are folded.
func (s Reader) Applied() uint64 { return s.P.Status().Applied }

// WaitFor waits until the record at a stream sequence has been folded.
func (s Reader) WaitFor(ctx context.Context, sequence uint64) error {
	return s.P.WaitFor(ctx, sequence)
}
