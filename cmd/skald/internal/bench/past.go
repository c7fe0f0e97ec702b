package bench

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"

	"go.etcd.io/bbolt"

	"github.com/skaldrpg/skald/pkg/journal"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
)

var records = []byte("records")

// copied is a raw file of records, numbered from 1.
func (w *world) copied(ctx context.Context, path, filter string) (db *bbolt.DB, n uint64, err error) {
	if db, err = bbolt.Open(path, 0o600, nil); err != nil {
		return nil, 0, err
	}
	db.NoSync = true // once at the end, as who builds a projection does
	var batch []journal.Record
	flush := func() error {
		return db.Update(func(tx *bbolt.Tx) error {
			b, err := tx.CreateBucketIfNotExists(records)
			for _, rec := range batch {
				if n++; err == nil {
					err = b.Put(binary.BigEndian.AppendUint64(nil, n), rec.Data)
				}
			}
			batch = batch[:0]
			return err
		})
	}
	err = w.stack.Log().Read(ctx, filter, 1, 0, func(rec journal.Record) error {
		if batch = append(batch, rec); len(batch) < 512 {
			return nil
		}
		return flush()
	})
	if err == nil {
		err = flush()
	}
	if err == nil {
		err = db.Sync()
	}
	if err != nil {
		return nil, 0, errors.Join(err, db.Close())
	}
	return db, n, nil
}

// past is the state of a long fight at an earlier number, drawn at random.
func past(ctx context.Context, r *run) (err error) {
	if err := r.play(ctx, r.Commits); err != nil {
		return err
	}
	db, n, err := r.copied(ctx, r.file("past"), "skald.0.main.encounter."+longFight)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	read := func(context.Context) error {
		return db.View(func(tx *bbolt.Tx) error {
			at := 1 + rand.Uint64N(n) //nolint:gosec // which is no secret
			data := tx.Bucket(records).Get(binary.BigEndian.AppendUint64(nil, at))
			if len(append([]byte(nil), data...)) == 0 {
				return fmt.Errorf("no record %d of %d", at, n)
			}
			return nil
		})
	}
	client := r.hall.client(0)
	state := func(ctx context.Context) error {
		at := 1 + rand.Uint64N(r.long) //nolint:gosec // which is no secret
		_, err := client.GetState(ctx, &encounterv1.GetStateRequest{As: gm, Encounter: longFight, At: at})
		return err
	}
	f, s, err := beside(ctx, r.rounds(1), alone(read), alone(state))
	if err == nil {
		r.add(lineOf(plural(int(r.long), "command"), f, s)) //nolint:gosec // not so many
	}
	return err
}
