package engine

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/projection"
	"github.com/skaldrpg/skald/services/encounter/internal/replica"
)

// recent is how many Commits a Fight keeps in memory for watchers.
const recent = 256

// Entry is one stored Commit with who may hear its events.
type Entry struct {
	// Version of the Commit.
	Version uint64
	// Millis is when it was stored, milliseconds since 1970.
	Millis int64
	// Commit as opened.
	Commit *event.Opened
	// Heard says who may hear each event.
	Heard []event.Audible
	// Restored names the views that a ruling changed.
	Restored []string
}

// Fight is an encounter in memory.
type Fight struct {
	table, id, subject string
	loader             Loader

	// execute is held by the one goroutine that changes the fight (I3). It is
	// taken before mu.
	execute sync.Mutex

	// mu guards what follows; it is held for short reads and for apply.
	mu       sync.RWMutex
	replica  *replica.Replica
	ring     []*Entry      // the last Commits, oldest first
	changed  chan struct{} // closed when a Commit was applied
	used     time.Time
	holders  int                 // watches that rely on this very Fight
	closed   *projection.Closure // its record is broken
	diceless bool                // the record of its dice is broken: nothing will be revealed
}

// Hold keeps the fight in memory until release is called.
func (f *Fight) Hold() (release func()) {
	f.mu.Lock()
	f.holders++
	f.mu.Unlock()
	return func() {
		f.mu.Lock()
		f.holders--
		f.mu.Unlock()
	}
}

func newFight(table, id, subject string, r *replica.Replica, loader Loader) *Fight {
	return &Fight{table: table, id: id, subject: subject, replica: r, loader: loader, changed: make(chan struct{})}
}

// apply folds a stored Commit. The caller holds execute.
func (f *Fight) apply(ctx context.Context, rec journal.Record) (entry *Entry, err error) {
	c, err := replica.Open(rec)
	if err != nil {
		return nil, fmt.Errorf("engine: %s sequence %d: %w", rec.Subject, rec.Seq, err)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	defer func() {
		if r := recover(); r != nil { // what a crafted Commit makes of the fold
			err = fmt.Errorf("%w: %s sequence %d: folding it panics: %v", event.ErrBroken, rec.Subject, rec.Seq, r)
		}
	}()
	a, err := f.replica.Apply(c, rec.Seq, func(version uint64) (*replica.Replica, error) {
		return f.loader.LoadAt(ctx, f.table, f.id, version)
	})
	if err != nil {
		return nil, err
	}
	e := &Entry{Version: c.Header.Version, Millis: c.Header.UnixMillis, Commit: c, Heard: a.Heard, Restored: a.Restored}
	f.ring = append(f.ring, e)
	if len(f.ring) > 2*recent {
		f.ring = append([]*Entry(nil), f.ring[len(f.ring)-recent:]...)
	}
	close(f.changed)
	f.changed = make(chan struct{})
	return e, nil
}

// Read runs fn while the fight stands still; fn must keep nothing of it.
func (f *Fight) Read(fn func(r *replica.Replica)) {
	f.mu.RLock()
	defer f.mu.RUnlock()
	fn(f.replica)
}

// Changed is closed when the next Commit is applied.
func (f *Fight) Changed() <-chan struct{} {
	f.mu.RLock()
	defer f.mu.RUnlock()
	return f.changed
}

// Recent finds Commits from a version on in memory; false when the first is
// older than what memory holds.
func (f *Fight) Recent(from uint64, limit int) ([]*Entry, bool) {
	f.mu.RLock()
	defer f.mu.RUnlock()
	if from > f.replica.Version {
		return nil, true
	}
	if len(f.ring) == 0 || f.ring[0].Version > from {
		return nil, false
	}
	start := int(from - f.ring[0].Version)
	end := min(len(f.ring), start+limit)
	return append([]*Entry(nil), f.ring[start:end]...), true
}
