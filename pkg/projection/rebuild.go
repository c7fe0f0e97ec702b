package projection

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/skaldrpg/skald/pkg/journal"
)

// ContentHash is SHA-256 over every bucket, key and value in order: what is
// stored, not how bbolt lays it out (I2). What is closed is part of it; the
// checkpoint, checksums and the index of the log are not.
func (p *Projection) ContentHash() ([]byte, error) {
	h := sha256.New()
	field := func(b []byte) {
		h.Write(binary.AppendUvarint(nil, uint64(len(b))))
		h.Write(b)
	}
	buckets := append(slices.Clone(p.cfg.Fold.Buckets()), closures, deleted)
	slices.Sort(buckets)
	err := p.View(func(tx *Tx) error {
		for _, b := range buckets {
			field([]byte(b))
			err := tx.Scan(b, nil, nil, func(k, v []byte) (bool, error) {
				field(k)
				field(v)
				return true, nil
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("projection: hashing: %w", err)
	}
	return h.Sum(nil), nil
}

// Rebuild folds the whole log into a new file and puts it in the place of the
// old one; progress, which may be nil, is told how far it is. No process may
// have the old file open (ErrLocked). An old file that is ahead of the log or
// differs from it stays where it is, with ErrAhead or ErrDiverged (I3): who wants
// a new one all the same moves it away by hand. An unusable one is moved aside
// (I4). The new file is written without syncing and synced once at the end,
// before it takes the old one's name.
func Rebuild(ctx context.Context, cfg Config, progress func(done, total uint64)) error {
	old := newProjection(cfg)
	info, err := cfg.Log.Info(ctx)
	if err != nil {
		return err
	}
	old.stream = info.StreamID
	why, err := old.tryOpen(ctx, info)
	if err != nil {
		return err
	}
	if why == "" {
		defer old.db.Close() //nolint:errcheck // only held for its lock
	}
	target := cfg
	target.Path = cfg.Path + ".rebuild"
	if err := os.Remove(target.Path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("projection: %w", err)
	}
	if _, err := build(ctx, target, info.StreamID, info.LastSeq, progress); err != nil {
		os.Remove(target.Path) //nolint:errcheck // it is worth nothing
		return err
	}
	if why != "" {
		if err := old.moveAside(why); err != nil {
			return err
		}
	}
	if err := os.Rename(target.Path, cfg.Path); err != nil {
		return fmt.Errorf("projection: %w", err)
	}
	return syncDir(cfg.Path)
}

// build folds the log up to a sequence into a new file, and returns the
// projection that did, closed.
func build(ctx context.Context, cfg Config, stream string, last uint64, progress func(done, total uint64)) (*Projection, error) {
	if cfg.MaxBatch == 0 {
		cfg.MaxBatch = 1024
	}
	cfg.oneShot = true
	db, err := openFile(cfg.Path, true)
	if err != nil {
		return nil, fmt.Errorf("projection: %w", err)
	}
	defer db.Close() //nolint:errcheck // synced below
	p := newProjection(cfg)
	p.db, p.stream = db, stream
	if err := p.prepare(); err != nil {
		return nil, err
	}
	if err := p.foresee(ctx); err != nil {
		return nil, err
	}
	if last == 0 {
		return p, safely(func() error { return errors.Join(db.Sync(), db.Close()) })
	}
	var batch []journal.Record
	flush := func() error {
		err := p.apply(ctx, journal.Batch{Records: batch})
		batch = batch[:0]
		return err
	}
	err = cfg.Log.Read(ctx, cfg.Filter, 1, last, func(rec journal.Record) error {
		batch = append(batch, rec)
		if progress != nil {
			progress(rec.Seq, last)
		}
		if len(batch) < cfg.MaxBatch {
			return nil
		}
		return flush()
	})
	if err == nil {
		err = flush()
	}
	if err == nil && progress != nil {
		progress(last, last)
	}
	if err != nil {
		return nil, err
	}
	return p, safely(func() error { return errors.Join(db.Sync(), db.Close()) })
}
