package ledger

import (
	"container/list"
	"context"
	"crypto/rand"
	"errors"
	"io"
	"log/slog"
	"sync"
	"time"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/journal/storefault"
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
	maxLive  = 4096 // encounters in memory
	maxQueue = 256  // tapes of one encounter not yet on the log
	maxKeys  = 256  // tape keys kept of one epoch
	maxTries = 16   // lost races in one append
)

// Config is what a ledger needs.
type Config struct {
	// Log is where records go.
	Log journal.Log
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
	return &Ledger{cfg: cfg, heads: journal.NewHeads(cfg.Log), closed: map[record.Key]projection.Closure{}, wake: make(chan struct{}, 1), live: map[record.Key]*list.Element{}, order: list.New()}
}

// acquire returns an encounter, loaded. The caller releases it.
func (l *Ledger) acquire(ctx context.Context, key record.Key) (*encounter, error) {
	subject, err := key.Subject()
	if err != nil {
		return nil, fault.Field("encounter", "table and encounter ids must be 1 to 128 bytes without dots, stars, spaces: %v", err)
	}
	l.mu.Lock()
	el, ok := l.live[key]
	if !ok {
		el = l.order.PushFront(newEncounter(key, subject))
		l.live[key] = el
		l.evict()
	}
	l.order.MoveToFront(el)
	e := el.Value.(*encounter)
	e.users++
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
}

// evict forgets encounters used longest ago, down to maxLive. The caller holds
// l.mu; an encounter without users has nobody who could hold its turn for long.
func (l *Ledger) evict() {
	for el := l.order.Back(); el != nil && len(l.live) > maxLive; {
		e, before := el.Value.(*encounter), el.Prev()
		if e.users == 0 && e != l.order.Front().Value && e.idle() {
			l.order.Remove(el)
			delete(l.live, e.key)
		}
		el = before
	}
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
