package engine

import (
	"context"
	"crypto/rand"
	"io"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/journal/storefault"
	"github.com/skaldrpg/skald/pkg/projection"
	"github.com/skaldrpg/skald/pkg/rules"
	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
	"github.com/skaldrpg/skald/services/encounter/internal/replica"
)

// Version of the engine, written into every Commit.
const Version = "1"

// DefaultTable is the table of encounters that name none.
const DefaultTable = "main"

// Loader finds an encounter as the projection has it, which may lag behind the
// log; a new replica when it has none.
type Loader interface {
	Load(table, encounter string) (*replica.Replica, error)
	// LoadAt finds it as it was after a version, waiting until the projection
	// has that.
	LoadAt(ctx context.Context, table, encounter string, version uint64) (*replica.Replica, error)
	// Entries returns stored Commits of versions from..to, oldest first, waiting
	// until the projection has them.
	Entries(ctx context.Context, table, encounter string, from, to uint64) ([]*Entry, error)
	// Closed tells whether the encounter's record is broken.
	Closed(table, encounter string) (projection.Closure, bool)
}

// Config says what an engine works with.
type Config struct {
	// Log is the event store.
	Log journal.Log
	// Dice draws faces.
	Dice dicev1.TapeServiceClient
	// Injury decides harm.
	Injury injuryv1.AssessmentServiceClient
	// Systems are the rule systems.
	Systems *rules.Registry
	// Loader finds encounters in the projection.
	Loader Loader
	// Partitions is the number of streams.
	Partitions int
	// Logger; nil means slog.Default.
	Logger *slog.Logger
	// Clock; nil means time.Now.
	Clock func() time.Time
	// Random is where salts come from; nil means crypto/rand.
	Random io.Reader
	// KeepIdle is how long an idle encounter stays in memory; 0 means 10 minutes.
	KeepIdle time.Duration
}

// Engine carries out commands.
type Engine struct {
	cfg    Config
	heads  *journal.Heads
	mu     sync.Mutex
	fights map[string]*slot
	closed map[string]projection.Closure // found broken here, by table/encounter
}

// slot holds a fight being loaded, so that it is loaded once.
type slot struct {
	ready chan struct{}
	fight *Fight
	err   error
}

// New makes an engine.
func New(cfg Config) *Engine {
	if cfg.Logger == nil {
		cfg.Logger = slog.Default()
	}
	if cfg.Clock == nil {
		cfg.Clock = time.Now
	}
	if cfg.Random == nil {
		cfg.Random = rand.Reader
	}
	if cfg.KeepIdle == 0 {
		cfg.KeepIdle = 10 * time.Minute
	}
	return &Engine{cfg: cfg, heads: journal.NewHeads(cfg.Log), fights: map[string]*slot{}, closed: map[string]projection.Closure{}}
}

// Fight loads an encounter and catches up with the log; a NotFound fault when
// there is none.
func (e *Engine) Fight(ctx context.Context, table, id string) (*Fight, error) {
	f, err := e.load(ctx, table, id)
	if err != nil {
		return nil, err
	}
	exists := false
	f.Read(func(r *replica.Replica) { exists = r.Version > 0 })
	if !exists {
		e.forget(f)
		return nil, notFound(id)
	}
	return f, nil
}

func notFound(id string) error {
	return fault.New(fault.NotFound, "UNKNOWN_ENCOUNTER", "there is no encounter %q", id)
}

// load finds a fight in memory or makes it from the projection and the log. It
// may be of an encounter that does not exist yet.
func (e *Engine) load(ctx context.Context, table, id string) (*Fight, error) {
	if table == "" {
		table = DefaultTable
	}
	if !rules.ValidID(table) {
		return nil, fault.Field("table", "must be 1 to 64 letters, digits, '-' or '_'")
	}
	if !rules.ValidID(id) {
		return nil, fault.Field("encounter", "must be 1 to 64 letters, digits, '-' or '_'")
	}
	key := table + "/" + id
	e.mu.Lock()
	s := e.fights[key]
	if s == nil {
		s = &slot{ready: make(chan struct{})}
		e.fights[key] = s
		e.mu.Unlock()
		fight, err := e.make(ctx, table, id)
		e.mu.Lock()
		if s.fight, s.err = fight, err; err != nil {
			delete(e.fights, key)
		}
		e.mu.Unlock()
		close(s.ready)
	} else {
		e.mu.Unlock()
		select {
		case <-s.ready:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	if s.err != nil {
		return nil, s.err
	}
	s.fight.mu.Lock()
	s.fight.used = e.cfg.Clock()
	s.fight.mu.Unlock()
	if err := s.fight.Broken(); err != nil {
		return nil, err
	}
	return s.fight, nil
}

func (e *Engine) make(ctx context.Context, table, id string) (*Fight, error) {
	subject, err := journal.Subject(e.cfg.Partitions, table, "encounter", id)
	if err != nil {
		return nil, fault.Wrap(fault.Invalid, "INVALID_FIELD", err, "encounter")
	}
	r, err := e.cfg.Loader.Load(table, id)
	if err != nil {
		return nil, err
	}
	f := newFight(table, id, subject, r, e.cfg.Loader)
	f.execute.Lock()
	defer f.execute.Unlock()
	if c, ok := e.cfg.Loader.Closed(table, id); ok {
		f.shut(c)
		return f, nil
	}
	err = e.catchUp(ctx, f)
	if err == nil {
		err = e.compared(f, e.heads.Compare(ctx, f.head()))
	}
	if err != nil && f.Broken() == nil {
		return nil, storeFault(err)
	}
	return f, nil
}

// forget drops a fight of an encounter that does not exist.
func (e *Engine) forget(f *Fight) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if s := e.fights[f.table+"/"+f.id]; s != nil && s.fight == f {
		delete(e.fights, f.table+"/"+f.id)
	}
}

// Follow brings a fight that is in memory up to a record that the tail saw,
// so that watchers here see what other processes stored.
func (e *Engine) Follow(ctx context.Context, rec journal.Record) {
	parts := strings.Split(rec.Subject, ".")
	if len(parts) != 5 {
		return
	}
	e.mu.Lock()
	var f *Fight
	if s := e.fights[parts[2]+"/"+parts[4]]; s != nil {
		f = s.fight
	}
	e.mu.Unlock()
	if f == nil {
		return
	}
	behind := false
	f.Read(func(r *replica.Replica) { behind = r.Sequence < rec.Seq })
	if !behind || !f.execute.TryLock() {
		return // whoever holds it catches up or is the one who appended
	}
	defer f.execute.Unlock()
	if err := e.catchUp(ctx, f); err != nil && f.Broken() == nil && ctx.Err() == nil {
		e.cfg.Logger.Error("following the log", "encounter", f.id, "error", err)
	}
}

// storeFault words an error of the event store for callers.
func storeFault(err error) error { return storefault.Of(err) }
