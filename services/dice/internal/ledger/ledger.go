package ledger

import (
	"cmp"
	"container/list"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"time"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/journal/storefault"
	"github.com/skaldrpg/skald/pkg/limits"
	"github.com/skaldrpg/skald/pkg/ops"
	"github.com/skaldrpg/skald/pkg/projection"
	"github.com/skaldrpg/skald/services/dice/internal/master"
	"github.com/skaldrpg/skald/services/dice/internal/record"
	"github.com/skaldrpg/skald/services/dice/internal/store"
)

// Reasons of the ledger's faults.
const (
	ReasonSpent   = "BRANCH_SPENT"
	ReasonEpoch   = "NO_EPOCH"
	ReasonEntropy = "ENTROPY_FIXED"
)

// Bounds.
const (
	maxLooked = 64  // encounters that one eviction looks at
	maxQueue  = 256 // tapes of one encounter not yet on the log
	maxKeys   = 256 // tape keys kept of one epoch
	maxTries  = 16  // lost races in one append
)

// Config is what a ledger needs.
type Config struct {
	// Log is where records go.
	Log journal.Log
	// Partition is the number of the stream that Log is.
	Partition int
	// Keys seal and open roots.
	Keys *master.Ring
	// Store is where an encounter's state is read from before the log is asked
	// for what came after; it may lag.
	Store Store
	// Alone says that no other process appends dice to the stream.
	Alone bool
	// Clock tells the time of records; nil means time.Now.
	Clock func() time.Time
	// Random makes roots; nil means crypto/rand.
	Random io.Reader
	// Logger hears of appends that fail.
	Logger *slog.Logger
	// Changed, if any, is called when Err becomes or stops being nil.
	Changed func(error)
	// MaxBytes and MaxLive bound the encounters in memory that nobody uses, by what
	// they take (as estimated) and by number; 0 means limits.DiceMemoryBytes and
	// limits.DiceEncounters.
	MaxBytes int64
	MaxLive  int
}

// Store is what the ledger reads of the projection.
type Store interface {
	// Load returns what is known of an encounter; the zero value when nothing.
	Load(key record.Key) (store.Encounter, error)
	// Closed tells whether an encounter's record is broken.
	Closed(key record.Key) (projection.Closure, bool)
}

// Ledger holds live encounters. It is safe for concurrent use.
type Ledger struct {
	cfg   Config
	heads *journal.Heads
	wake  chan struct{} // holds a token while dirty is not empty

	mu      sync.Mutex
	live    map[record.Key]*list.Element
	order   *list.List // of *encounter, used last in front
	bytes   int64      // sum of the encounters' counted
	dirty   []*encounter
	failing error                             // of the last append of queued tapes
	closed  map[record.Key]projection.Closure // found broken here
}

// New makes a ledger. Run appends what is queued; Close ends it.
func New(cfg Config) *Ledger {
	if cfg.Clock == nil {
		cfg.Clock = time.Now
	}
	if cfg.Random == nil {
		cfg.Random = rand.Reader
	}
	if cfg.Logger == nil {
		cfg.Logger = slog.Default()
	}
	cfg.MaxBytes = cmp.Or(cfg.MaxBytes, limits.DiceMemoryBytes)
	cfg.MaxLive = cmp.Or(cfg.MaxLive, limits.DiceEncounters)
	return &Ledger{cfg: cfg, heads: journal.NewHeads(cfg.Log), closed: map[record.Key]projection.Closure{}, wake: make(chan struct{}, 1), live: map[record.Key]*list.Element{}, order: list.New()}
}

// acquire returns an encounter, loaded. The caller releases it.
func (l *Ledger) acquire(ctx context.Context, key record.Key) (*encounter, error) {
	subject, err := key.SubjectIn(l.cfg.Partition)
	if err != nil {
		return nil, fault.Field("encounter", "table and encounter ids must be 1 to 128 bytes without dots, stars, spaces: %v", err)
	}
	l.mu.Lock()
	el, ok := l.live[key]
	if !ok {
		el = l.order.PushFront(newEncounter(key, subject))
		l.live[key] = el
		l.bytes += encounterBytes
	}
	l.order.MoveToFront(el)
	e := el.Value.(*encounter)
	e.users++
	l.evict()
	l.mu.Unlock()
	if err := l.load(ctx, e); err != nil {
		l.release(e)
		return nil, err
	}
	return e, nil
}

func (l *Ledger) release(e *encounter) {
	l.mu.Lock()
	defer l.mu.Unlock()
	e.users--
	if l.live[e.key] == nil || l.live[e.key].Value != e {
		return
	}
	now := e.size()
	l.bytes += now - e.counted
	e.counted = now
	l.evict()
}

// evict forgets encounters used longest ago, down to the bounds. The caller holds
// l.mu; an encounter without users has nobody who could hold its turn for long.
// What has to stay goes to the front, so that one call looks at few.
func (l *Ledger) evict() {
	for looked := 0; looked < maxLooked && (len(l.live) > l.cfg.MaxLive || l.bytes > l.cfg.MaxBytes); looked++ {
		el := l.order.Back()
		if el == nil {
			return
		}
		e := el.Value.(*encounter)
		if e.users > 0 || !e.idle() {
			l.order.MoveToFront(el)
			continue
		}
		l.order.Remove(el)
		delete(l.live, e.key)
		l.bytes -= e.counted
	}
}

// Part is how the encounters in memory stand.
func (l *Ledger) Part() ops.Part {
	l.mu.Lock()
	defer l.mu.Unlock()
	p := ops.Part{Name: "tapes", Text: fmt.Sprintf("the dice of %d encounters in %d of %d MiB", len(l.live), l.bytes>>20, l.cfg.MaxBytes>>20), Figures: []ops.Figure{
		{Name: "dice_in_memory", Help: "Encounters whose dice are in memory.", Value: float64(len(l.live))},
		{Name: "dice_bytes", Help: "What they take, as estimated.", Value: float64(l.bytes)},
		{Name: "dice_unlogged", Help: "Encounters with opened tapes that are not on the log yet.", Value: float64(len(l.dirty))},
	}}
	if l.failing != nil {
		p.State, p.Text = ops.Failed, "opened tapes do not get onto the log: "+l.failing.Error()
	}
	return p
}

// load reads an encounter once: the projection, and from the log what came after.
func (l *Ledger) load(ctx context.Context, e *encounter) error {
	if err := e.lock(ctx); err != nil {
		return err
	}
	defer e.unlock()
	if err := e.broken(); err != nil || e.loaded {
		return err
	}
	if c, ok := l.cfg.Store.Closed(e.key); ok {
		return l.close(e, c.Sequence, errors.New(c.Why))
	}
	known, err := l.cfg.Store.Load(e.key)
	if err != nil {
		return fault.Wrap(fault.Internal, "STORE", err, "reading the projection")
	}
	e.mu.Lock()
	for _, r := range known.Epochs {
		if err := l.foldEpoch(e, r); err != nil {
			e.mu.Unlock()
			return broken(err)
		}
	}
	for _, s := range known.Spent {
		if ep := e.epochs[s.GetEpoch()]; ep != nil {
			ep.spent[s.GetBranch()] = true
		}
	}
	for _, t := range known.Tapes {
		e.tapes[t] = true
	}
	e.head = known.Head
	e.mu.Unlock()
	if err := l.catchUp(ctx, e); err != nil {
		return err
	}
	if err := l.compare(ctx, e); err != nil {
		return err
	}
	e.loaded = true
	return nil
}

// catchUp folds what the log holds beyond the head. The caller holds the turn.
func (l *Ledger) catchUp(ctx context.Context, e *encounter) error {
	e.mu.Lock()
	from := e.head.Sequence
	e.mu.Unlock()
	last, ok, err := l.cfg.Log.Last(ctx, e.subject)
	if err != nil {
		return unavailable(err)
	}
	if !ok || last.Seq <= from {
		return nil
	}
	var at uint64
	err = l.cfg.Log.Read(ctx, e.subject, from+1, 0, func(stored journal.Record) error {
		at = stored.Seq
		e.mu.Lock()
		defer e.mu.Unlock()
		r, after, err := record.Decode(e.head, stored)
		if err != nil {
			return err
		}
		return l.fold(e, r, after)
	})
	if errors.Is(err, record.ErrBroken) {
		return l.close(e, at, err)
	}
	if errors.Is(err, master.ErrUnknownKey) || errors.Is(err, master.ErrWrongKey) {
		return broken(err)
	}
	if err != nil {
		return unavailable(err)
	}
	return nil
}

// refresh catches up with other processes; alone there are none. It waits for
// the turn only when there is something new.
func (l *Ledger) refresh(ctx context.Context, e *encounter) error {
	if err := e.broken(); err != nil || l.cfg.Alone {
		return err
	}
	last, ok, err := l.cfg.Log.Last(ctx, e.subject)
	if err != nil {
		return unavailable(err)
	}
	e.mu.Lock()
	news := ok && last.Seq > e.head.Sequence
	e.mu.Unlock()
	if !news {
		return nil
	}
	if err := e.lock(ctx); err != nil {
		return err
	}
	defer e.unlock()
	return l.catchUp(ctx, e)
}

// broken is the fault of dice that can not be read for want of the right key.
func broken(err error) error {
	return fault.Wrap(fault.Internal, "BROKEN_RECORD", err, "the record of these dice can not be opened")
}

// unavailable is the fault of a store that did not do what it was asked for.
func unavailable(err error) error {
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.Is(err, journal.ErrInvalid):
		return fault.Wrap(fault.Internal, "STORE", err, "the store refused a record")
	}
	worded := storefault.Of(err)
	if _, ok := fault.As(worded); ok {
		return worded
	}
	return fault.Wrap(fault.Unavailable, storefault.Unavailable, err, "the event store does not answer")
}
