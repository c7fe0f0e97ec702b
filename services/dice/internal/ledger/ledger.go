package ledger

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"time"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/limits"
	"github.com/skaldrpg/skald/pkg/ops"
	"github.com/skaldrpg/skald/pkg/projection"
	"github.com/skaldrpg/skald/pkg/recent"
	"github.com/skaldrpg/skald/pkg/tombstone"
	"github.com/skaldrpg/skald/services/dice/internal/master"
	"github.com/skaldrpg/skald/services/dice/internal/record"
	"github.com/skaldrpg/skald/services/dice/internal/store"
)

// Reasons of the ledger's faults.
const (
	ReasonSpent   = "BRANCH_SPENT"
	ReasonEpoch   = "NO_EPOCH"
	ReasonEntropy = "ENTROPY_FIXED"
	ReasonOpen    = "ENTROPY_OPEN"
	ReasonWhole   = "OPENED_AS_A_WHOLE"
)

// Bounds.
const (
	maxQueue = 256 // tapes of one encounter not yet on the log
	maxKeys  = 256 // tape keys kept of one epoch
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
	// Believe reads tombstones; nil believes none.
	Believe *tombstone.Reader
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
	Load(n aggregate.Name) (store.Encounter, error)
	// Closed tells whether an encounter's record is broken.
	Closed(n aggregate.Name) (projection.Closure, bool)
	// DeletedFault is what a deleted table answers; nil for any other.
	DeletedFault(table string) error
}

// Ledger holds live encounters. It is safe for concurrent use.
type Ledger struct {
	cfg    Config
	log    *aggregate.Log
	live   *recent.Shelf[aggregate.Name, *encounter]
	closed *aggregate.Closed // found broken here
	wake   chan struct{}     // holds a token while dirty is not empty

	mu      sync.Mutex
	dirty   []*encounter
	writing int   // of those that flush took: how many it has not written yet
	failing error // of the last append of queued tapes
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
	return &Ledger{cfg: cfg, log: aggregate.Over(cfg.Log, cfg.Partition).Believing(cfg.Believe), closed: aggregate.NewClosed(cfg.Logger, cfg.Partition), wake: make(chan struct{}, 1),
		live: recent.NewShelf[aggregate.Name](recent.Room[*encounter]{Count: cfg.MaxLive, Bytes: cfg.MaxBytes, Size: (*encounter).size, Rest: (*encounter).rest})}
}

// acquire returns an encounter, loaded, until release is called.
func (l *Ledger) acquire(ctx context.Context, n aggregate.Name) (e *encounter, release func(), err error) {
	if err := l.cfg.Store.DeletedFault(n.Table); err != nil {
		return nil, nil, err
	}
	e, release, err = l.live.Hold(ctx, n, func(ctx context.Context) (*encounter, error) {
		e := newEncounter(n)
		return e, l.load(ctx, e)
	})
	if err != nil {
		return nil, nil, err
	}
	if err := e.broken(); err != nil {
		release()
		return nil, nil, err
	}
	return e, release, nil
}

// Part is how the encounters in memory stand.
func (l *Ledger) Part() ops.Part {
	held := l.live.Held()
	l.mu.Lock()
	defer l.mu.Unlock()
	p := ops.Part{Name: "tapes", Text: fmt.Sprintf("the dice of %d encounters in %d of %d MiB", held.Values, held.Bytes>>20, l.cfg.MaxBytes>>20), Figures: []ops.Figure{
		{Name: "dice_in_memory", Help: "Encounters whose dice are in memory.", Value: float64(held.Values)},
		{Name: "dice_bytes", Help: "What they take, as estimated.", Value: float64(held.Bytes)},
		{Name: "dice_unlogged", Help: "Encounters with opened tapes that are not on the log yet.", Value: float64(len(l.dirty) + l.writing)},
	}}
	if l.failing != nil {
		p.State, p.Text = ops.Failed, "opened tapes do not get onto the log: "+l.failing.Error()
	}
	return p
}

// load reads an encounter: the projection, and from the log what came after. One
// whose record is broken is loaded as well, and closed.
func (l *Ledger) load(ctx context.Context, e *encounter) error {
	if err := e.lock(ctx); err != nil {
		return err
	}
	defer e.unlock()
	if c, ok := l.cfg.Store.Closed(e.name); ok {
		l.close(e, c.Sequence, errors.New(c.Why)) //nolint:errcheck // e.broken tells it
		return nil
	}
	known, err := l.cfg.Store.Load(e.name)
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
			ep.reveal(s.GetBranch(), s.GetAction())
		}
	}
	for _, t := range known.Tapes {
		e.tapes[t] = true
	}
	e.head = known.Head
	e.mu.Unlock()
	err = l.catchUp(ctx, e)
	if err == nil {
		err = l.compare(ctx, e)
	}
	if e.broken() != nil {
		return nil // it is there, and closed
	}
	return err
}

// catchUp folds what the log holds beyond the head; where that is nothing, the head is
// held against the log's. The caller holds the turn.
func (l *Ledger) catchUp(ctx context.Context, e *encounter) error {
	e.mu.Lock()
	head := e.head
	e.mu.Unlock()
	if head.Sequence == 0 { // most who have nothing recorded are new
		if last, err := l.log.Last(ctx, e.name); err != nil || last == 0 {
			return err
		}
	}
	at, err := l.log.Onward(ctx, e.name, head, aggregate.PlainHash, func(stored journal.Record) error {
		e.mu.Lock()
		defer e.mu.Unlock()
		r, after, err := record.Decode(e.head, stored)
		if err != nil {
			return err
		}
		return l.fold(e, r, after)
	})
	var altered *journal.AlteredError
	if errors.As(err, &altered) {
		return l.close(e, altered.Sequence, altered)
	}
	switch {
	case aggregate.Broken(err):
		return l.close(e, at, err)
	case errors.Is(err, master.ErrUnknownKey), errors.Is(err, master.ErrWrongKey):
		return broken(err)
	}
	return err
}

// refresh catches up with other processes; alone there are none. It waits for
// the turn only when there is something new.
func (l *Ledger) refresh(ctx context.Context, e *encounter) error {
	if err := e.broken(); err != nil || l.cfg.Alone {
		return err
	}
	last, err := l.log.Last(ctx, e.name)
	if err != nil {
		return err
	}
	e.mu.Lock()
	news := last > e.head.Sequence
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
