package engine

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/projection"
	"github.com/skaldrpg/skald/pkg/recent"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"github.com/skaldrpg/skald/services/encounter/internal/replica"
)

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
	// Transcripts of the views that saw something of it, after it.
	Transcripts map[string][]byte

	fixing sync.Once
	fixed  []*eventv1.Event
	err    error // of finding fixed
}

// Fixed are the rolls of a ruling to which the game master gave faces by word
// (replica.Fixed). They are found once, however many ask.
func (e *Entry) Fixed() ([]*eventv1.Event, error) {
	e.fixing.Do(func() { e.fixed, e.err = replica.Fixed(e.Commit) })
	return e.fixed, e.err
}

// Fight is an encounter in memory.
type Fight struct {
	name      aggregate.Name
	table, id string // as in name
	loader    Loader

	// execute is held by the one goroutine that changes the fight (I3). It is
	// taken before mu.
	execute sync.Mutex

	// mu guards what follows; it is held for short reads and for apply.
	mu       sync.RWMutex
	replica  *replica.Replica
	ring     ring
	changed  chan struct{} // closed when a Commit was applied
	meter    replica.Meter
	closed   *projection.Closure // its record is broken
	gone     error               // its table was deleted
	diceless bool                // the record of its dice is broken: nothing will be revealed

	stir func() // wakes watches; called without mu
	// parts finds parts of branches in the log, oldest first.
	parts func(ctx context.Context, branch string, fn func(data []byte) error) error

	// For those who hold neither lock.
	ruling            atomic.Pointer[tracker] // that is being made; nil when none is
	buried            atomic.Bool             // its table was deleted
	bytes             atomic.Int64            // estimate of what it takes
	version, sequence atomic.Uint64           // as in replica
	heard             atomic.Uint64           // stream sequence up to which the tail saw records of it
	owed              atomic.Uint64           // stream sequence of what was stored along with another fight's Commit
}

func newFight(n aggregate.Name, r *replica.Replica, loader Loader) *Fight {
	f := &Fight{name: n, table: n.Table, id: n.ID, replica: r, loader: loader, changed: make(chan struct{}), stir: func() {}}
	f.note(f.meter.Measure(r))
	return f
}

// note takes over for others how the fight stands.
func (f *Fight) note(bytes int64) {
	f.bytes.Store(fightBytes + bytes + f.ring.bytes)
	f.version.Store(f.replica.Version)
	f.sequence.Store(f.replica.Sequence)
}

// size is what the fight takes, bytes.
func (f *Fight) size() int64 { return f.bytes.Load() }

// rest says that a fight of an encounter that does not exist is nothing to keep.
func (f *Fight) rest() recent.Rest {
	if f.version.Load() == 0 || f.buried.Load() {
		return recent.Drop
	}
	return recent.Keep
}

// seen notes that the tail saw a record.
func (f *Fight) seen(seq uint64) { raiseTo(&f.heard, seq) }

// raiseTo sets a number that only grows.
func raiseTo(n *atomic.Uint64, to uint64) {
	for was := n.Load(); was < to; was = n.Load() {
		if n.CompareAndSwap(was, to) {
			return
		}
	}
}

// behind tells whether the tail saw more than was folded.
func (f *Fight) behind() bool { return f.heard.Load() > f.sequence.Load() }

// apply folds a stored Commit. The caller holds execute.
func (f *Fight) apply(ctx context.Context, rec journal.Record) (*Entry, error) {
	_, c, err := aggregate.Open(rec)
	if err != nil {
		return nil, fmt.Errorf("engine: %s sequence %d: %w", rec.Subject, rec.Seq, err)
	}
	held, err := f.fill(ctx, c.Events)
	if err != nil {
		return nil, fmt.Errorf("engine: %s sequence %d: %w", rec.Subject, rec.Seq, err)
	}
	e, err := f.fold(ctx, c, rec, held)
	if err == nil {
		f.stir()
	}
	return e, err
}

func (f *Fight) fold(ctx context.Context, c *event.Opened, rec journal.Record, held int) (entry *Entry, err error) {
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
	e := &Entry{Version: c.Header.Version, Millis: c.Header.UnixMillis, Commit: c, Heard: a.Heard, Restored: a.Restored, Transcripts: a.Transcripts}
	f.ring.add(e, len(rec.Data)+held)
	f.note(f.meter.Applied(f.replica, len(rec.Data)))
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
	return f.ring.from(from, limit)
}
