package projection

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	bolt "go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"

	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/tombstone"
)

// Pauses between attempts to write a file that does not take it, or to build it
// again.
const (
	firstPause = 50 * time.Millisecond
	lastPause  = 2 * time.Second
)

// Run folds the log from the checkpoint on. It returns when the context ends or
// when the log contradicts the file: ErrAhead, ErrDiverged, or the stream was
// replaced. Broken records close their subjects, a file that can not be written
// is tried again for as long as it takes, and a damaged one is built again. It is
// called once.
func (p *Projection) Run(ctx context.Context) error {
	p.mu.Lock()
	if p.running {
		p.mu.Unlock()
		return errors.New("projection: Run called twice")
	}
	p.running = true
	p.mu.Unlock()
	for {
		err := p.follow(ctx)
		if ctx.Err() == nil && errors.Is(err, ErrDamaged) {
			err = p.renew(ctx, err)
			if err == nil {
				continue
			}
		}
		p.end(err)
		return err
	}
}

// follow folds the log until something ends it; ErrDamaged when the file is.
func (p *Projection) follow(ctx context.Context) error {
	tail, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	p.mu.Lock()
	damaged := p.damaged
	p.interrupt = cancel
	p.mu.Unlock()
	if damaged != nil {
		return damaged
	}
	err := p.cfg.Log.Tail(tail, journal.TailConfig{Filter: p.cfg.Filter, FromSeq: p.at + 1, MaxBatch: p.cfg.MaxBatch},
		func(ctx context.Context, b journal.Batch) error {
			if err := p.apply(ctx, b); err != nil {
				return err
			}
			if b.CaughtUp {
				p.rest(ctx)
			}
			return nil
		})
	var behind *journal.BehindError
	switch cause := context.Cause(tail); {
	case ctx.Err() == nil && errors.Is(cause, ErrDamaged):
		return cause
	case errors.As(err, &behind):
		err = fmt.Errorf("%w: %w", ErrAhead, err)
	case errors.Is(err, journal.ErrRewritten):
		err = fmt.Errorf("%w: %w", ErrDiverged, err)
	}
	return err
}

// rest lets records gather for a moment, so that the syncs of this file do not
// compete with those of the log once per record. Whoever waits for a record
// ends it.
func (p *Projection) rest(ctx context.Context) {
	if p.cfg.Gather < 0 {
		return
	}
	timer := time.NewTimer(p.cfg.Gather)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-p.wanted:
	case <-ctx.Done():
	}
}

// end wakes who waits for records that will not come.
func (p *Projection) end(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.status.Err = err
	p.interrupt = nil
	close(p.moved)
	p.moved = make(chan struct{})
}

// apply makes a batch durable and tells who waits for it.
func (p *Projection) apply(ctx context.Context, b journal.Batch) error {
	recs := b.Records
	for len(recs) > 0 && recs[0].Seq <= p.at { // a log that repeats itself changes nothing
		recs = recs[1:]
	}
	if len(recs) > 0 {
		if err := p.store(ctx, recs); err != nil {
			return err
		}
		if p.cfg.Applied != nil {
			p.cfg.Applied(recs)
		}
		p.advance(recs[len(recs)-1].Seq, false)
	}
	if b.CaughtUp {
		p.advance(b.LastSeq, true)
	}
	return nil
}

// store folds records in one transaction; a broken one among them closes its
// subject in a transaction of its own, between those before and those after (I5).
func (p *Projection) store(ctx context.Context, recs []journal.Record) error {
	for len(recs) > 0 {
		err := p.commit(ctx, recs, nil)
		var broken *FoldError
		if !errors.As(err, &broken) {
			return err
		}
		i := slices.IndexFunc(recs, func(r journal.Record) bool { return r.Seq == broken.Seq })
		if i > 0 {
			if err := p.store(ctx, recs[:i]); err != nil {
				return err
			}
		}
		c := closure(recs[i], broken.Err)
		if err := p.commit(ctx, recs[i:i+1], &c); err != nil {
			return err
		}
		p.close(c)
		recs = recs[i+1:]
	}
	return nil
}

// commit carries out one transaction (I1), again and again while the file can not
// be written. Errors are *FoldError, ErrDamaged and the context's.
func (p *Projection) commit(ctx context.Context, recs []journal.Record, close *Closure) error {
	last := recs[len(recs)-1]
	for try := 0; ; try++ {
		foreign, buried, err := p.transact(recs, close)
		var broken *FoldError
		switch {
		case err == nil:
			for _, t := range buried {
				p.buried(t)
			}
			p.at, p.sum = last.Seq, digest(last)
			p.settled(foreign)
			return nil
		case errors.As(err, &broken), errors.Is(err, ErrDamaged), p.cfg.oneShot:
			p.forget()
			return err
		}
		p.forget() // what it has in memory was not carried out
		p.trouble(fmt.Sprintf("writing %s: %v", p.cfg.Path, err))
		if err := pause(ctx, try); err != nil {
			return err
		}
		if errors.Is(err, berrors.ErrInvalidMapping) || errors.Is(err, berrors.ErrDatabaseNotOpen) {
			p.reopen()
		}
	}
}

// transact is one attempt of a transaction. It returns how many records were
// nobody's, and the tombstones among them.
func (p *Projection) transact(recs []journal.Record, close *Closure) (foreign uint64, buried []*tombstone.Record, err error) {
	t := &Tx{}
	err = safely(func() error {
		return p.db.Update(func(tx *bolt.Tx) error {
			t.tx = tx
			foreign = 0
			// A write that failed at its very end may have been carried out.
			done, _ := decodeCheckpoint(t.Get(state, keyCheckpoint))
			for _, rec := range recs {
				if rec.Seq <= done {
					p.again(t, rec)
					continue
				}
				passed, err := p.fold(t, rec, close)
				if t.damaged != nil {
					return t.damaged
				}
				if err != nil {
					return &FoldError{Subject: rec.Subject, Seq: rec.Seq, Err: err}
				}
				foreign += passed
			}
			last := recs[len(recs)-1]
			if last.Seq > done {
				if err := t.Put(state, keyCheckpoint, encodeCheckpoint(last.Seq, digest(last))); err != nil {
					return err
				}
			}
			return t.settle()
		})
	})
	return foreign, t.buried, err
}

// fold folds one record and remembers it. An error is what is wrong with the
// record; 1 means that it was nobody's.
func (p *Projection) fold(t *Tx, rec journal.Record, close *Closure) (foreign uint64, err error) {
	refused := true
	if f, ok := p.cfg.Fold.(Foresees); ok {
		if err := f.Fill(t, rec.Seq); err != nil {
			return 0, err
		}
	}
	_, closed := p.Closed(rec.Subject)
	switch {
	case close == nil && isTombstone(rec):
		if err = p.tombstone(t, rec); err == nil {
			refused = false
		}
	case close == nil && p.isVoid(t, rec):
		foreign = 1
	case close != nil:
		err = t.Put(closures, []byte(close.Subject), close.bytes())
	case !closed:
		err = p.applyOne(t, rec)
		if refused = err != nil; errors.Is(err, ErrForeign) {
			foreign, err = 1, nil
		}
	}
	if err != nil {
		return 0, err
	}
	return foreign, t.Put(logIndex, Key(rec.Seq), entryOf(rec, refused).bytes())
}

// tombstone folds a record that is one, or pretends to be.
func (p *Projection) tombstone(tx *Tx, rec journal.Record) error {
	t, err := p.cfg.Believe.Read(rec)
	if err != nil {
		return err
	}
	tx.buried = append(tx.buried, t)
	return p.bury(tx, t)
}

// again takes note of a tombstone whose transaction was carried out although its end
// seemed to fail.
func (p *Projection) again(tx *Tx, rec journal.Record) {
	if !isTombstone(rec) {
		return
	}
	if t, err := p.cfg.Believe.Read(rec); err == nil {
		tx.buried = append(tx.buried, t)
	}
}

// isVoid is void, with what the transaction itself has deleted.
func (p *Projection) isVoid(tx *Tx, rec journal.Record) bool {
	for _, t := range tx.buried {
		if of, _, ok := journal.TableOf(rec.Subject); ok && of == t.Table {
			return true
		}
	}
	return p.void(rec)
}

// applyOne calls the fold; a panic of its own is what is wrong with the record.
func (p *Projection) applyOne(t *Tx, rec journal.Record) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("folding it panics: %v", r)
		}
	}()
	return p.cfg.Fold.Apply(t, rec)
}

func (p *Projection) forget() {
	if f, ok := p.cfg.Fold.(Forgetful); ok {
		f.Forget()
	}
}

// trouble says why nothing is applied, once for each reason.
func (p *Projection) trouble(why string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.status.Trouble == why {
		return
	}
	p.status.Trouble = why
	p.cfg.Logger.Error("projection: nothing is applied for now; the log keeps it", "why", why)
}

// settled takes note of a transaction that was carried out.
func (p *Projection) settled(foreign uint64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.status.Foreign += foreign
	if p.status.Trouble != "" {
		p.status.Trouble = ""
		p.cfg.Logger.Warn("projection: records are applied again", "file", p.cfg.Path)
	}
}

// reopen opens the file again after its mapping was lost; when that fails the
// next attempt will say so.
func (p *Projection) reopen() {
	p.file.Lock()
	defer p.file.Unlock()
	safely(p.db.Close) //nolint:errcheck // it is of no use any more
	if db, err := openFile(p.cfg.Path, false); err == nil {
		p.db = db
	}
}

// renew builds a damaged file again from the log, up to where it was, while reads
// of its whole parts go on; then it takes the damaged one's place, which is moved
// aside.
func (p *Projection) renew(ctx context.Context, why error) error {
	p.trouble(fmt.Sprintf("building %s again: %v", p.cfg.Path, why))
	for try := 0; ; try++ {
		err := p.replace(ctx, why)
		if err == nil || ctx.Err() != nil || errors.Is(err, ErrAhead) || errors.Is(err, ErrDiverged) || errors.Is(err, journal.ErrStreamReplaced) {
			return err
		}
		p.cfg.Logger.Warn("projection: building again failed, trying again", "file", p.cfg.Path, "error", err)
		if err := pause(ctx, try); err != nil {
			return err
		}
	}
}

// replace is one attempt of renew.
func (p *Projection) replace(ctx context.Context, why error) error {
	info, err := p.cfg.Log.Info(ctx)
	if err != nil {
		return err
	}
	if info.StreamID != p.stream {
		return journal.ErrStreamReplaced
	}
	if err := p.contradicts(ctx, standing{stream: p.stream, sequence: p.at, digest: p.sum}, info); err != nil {
		return err
	}
	target := p.cfg
	target.Path, target.Applied = p.cfg.Path+".rebuild", nil
	if err := os.Remove(target.Path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("projection: %w", err)
	}
	p.forget()
	built, err := build(ctx, target, p.stream, p.at, nil)
	if err != nil {
		p.forget()
		os.Remove(target.Path) //nolint:errcheck // it is worth nothing
		return err
	}
	return p.swap(target.Path, built, why)
}

// swap puts a file that was built in the place of the open one.
func (p *Projection) swap(path string, built *Projection, why error) error {
	p.file.Lock()
	defer p.file.Unlock()
	safely(p.db.Close) //nolint:errcheck // it is damaged
	if err := p.moveAside(why.Error()); err != nil && exists(p.cfg.Path) {
		return err
	}
	if err := os.Rename(path, p.cfg.Path); err != nil {
		return fmt.Errorf("projection: %w", err)
	}
	db, err := openFile(p.cfg.Path, false)
	if err != nil {
		return fmt.Errorf("projection: %w", err)
	}
	p.db = db
	p.mu.Lock()
	p.closed, p.deleted, p.damaged, p.status.Trouble = built.closed, built.deleted, nil, ""
	p.mu.Unlock()
	p.cfg.Logger.Warn("projection: built again", "file", p.cfg.Path, "at", p.at)
	return syncDir(p.cfg.Path)
}

// pause waits before another attempt, longer each time.
func pause(ctx context.Context, try int) error {
	timer := time.NewTimer(min(firstPause<<min(try, 10), lastPause))
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
