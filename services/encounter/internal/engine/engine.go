package engine

import (
	"context"
	"crypto/rand"
	"io"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/limits"
	"github.com/skaldrpg/skald/pkg/projection"
	"github.com/skaldrpg/skald/pkg/recent"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/tombstone"
	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
	"github.com/skaldrpg/skald/services/encounter/internal/replica"
	"github.com/skaldrpg/skald/services/encounter/internal/shelf"
)

// Version of the engine, written into every Commit.
const Version = "1"

// Loader finds an encounter as the projection has it, which may lag behind the
// log; a new replica when it has none.
type Loader interface {
	Load(table, encounter string) (*replica.Replica, error)
	// Request finds what a request id led to (aggregate.RequestKey), waiting until
	// the projection has a version; false when it has none of the id.
	Request(ctx context.Context, table, encounter, key string, version uint64) (replica.Request, bool, error)
	// LoadAt finds it as it was after a version, waiting until the projection
	// has that. It is for reading and for rulings: request ids, the viewers' numbers
	// and those of the dice are not in it.
	LoadAt(ctx context.Context, table, encounter string, version uint64) (*replica.Replica, error)
	// Entries returns stored Commits of versions from..to, oldest first, waiting
	// until the projection has them.
	Entries(ctx context.Context, table, encounter string, from, to uint64) ([]*Entry, error)
	// Due lists encounters that are due at a time (milliseconds since 1970), the
	// longest due first, from the place after on (nil: from the beginning), at
	// most limit. next is where to go on, nil at the end. It may lag.
	Due(millis int64, after []byte, limit int) (due []aggregate.Name, next []byte, err error)
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
	// Shelf is the packs of tables; nil when there are none.
	Shelf *shelf.Shelf
	// Loader finds encounters in the projection.
	Loader Loader
	// Believe reads tombstones; nil believes none.
	Believe *tombstone.Reader
	// Deleted is the fault that a deleted table answers, nil for any other; nil
	// knows of none.
	Deleted func(table string) error
	// Partition is the number of the stream that Log is.
	Partition int
	// Logger; nil means slog.Default.
	Logger *slog.Logger
	// Clock; nil means time.Now.
	Clock func() time.Time
	// Random is where salts come from; nil means crypto/rand.
	Random io.Reader
	// KeepIdle is how long an idle encounter stays in memory; 0 means 10 minutes.
	KeepIdle time.Duration
	// Memory bounds what encounters in memory take together, bytes as estimated;
	// 0 means limits.FightMemoryBytes. Those that a call works with stay.
	Memory int64
	// InlineBytes is what a new history of an amendment may take in its Commit; a
	// longer one is written to a branch. 0 means limits.InlineAmendmentBytes.
	InlineBytes int
	// Recorded says that what is decided is on record already: a Replay's engine
	// prepares nothing of patients and needs no dry run before a ruling's dice.
	Recorded bool
	// Patients says, with Recorded, that Injury answers for the records of patients too.
	Patients bool
}

// Engine carries out commands.
type Engine struct {
	cfg    Config
	agenda agenda // of Run's goroutine
	log    *aggregate.Log
	sealer aggregate.Sealer
	fights *recent.Shelf[aggregate.Name, *Fight]
	closed *aggregate.Closed // found broken here
	// amendments that were read last.
	amendments *recent.Cache[amendment, *eventv1.Amended]
	stored     atomic.Uint64 // sequence of the last Commit that was stored from here

	mu      sync.Mutex
	watched map[aggregate.Name]*signal
	changes uint64                  // number of the last change
	late    map[aggregate.Name]bool // fights that keepUp left behind
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
	if cfg.Memory == 0 {
		cfg.Memory = limits.FightMemoryBytes
	}
	if cfg.InlineBytes == 0 {
		cfg.InlineBytes = limits.InlineAmendmentBytes
	}
	return &Engine{cfg: cfg, amendments: newAmendments(cfg.Clock), log: aggregate.Over(cfg.Log, cfg.Partition).Believing(cfg.Believe), closed: aggregate.NewClosed(cfg.Logger, cfg.Partition),
		sealer: aggregate.Sealer{Partition: cfg.Partition, Engine: Version, Clock: cfg.Clock, Random: cfg.Random},
		fights: recent.NewShelf[aggregate.Name](recent.Room[*Fight]{Bytes: cfg.Memory, Size: (*Fight).size, Rest: (*Fight).rest, Now: cfg.Clock}),
		agenda: newAgenda(), watched: map[aggregate.Name]*signal{}, late: map[aggregate.Name]bool{}}
}

// Fight loads an encounter and catches up with the log; a NotFound fault when
// there is none. It stays in memory until release is called.
func (e *Engine) Fight(ctx context.Context, table, id string) (f *Fight, release func(), err error) {
	f, release, err = e.hold(ctx, table, id)
	if err != nil {
		return nil, nil, err
	}
	exists := false
	f.Read(func(r *replica.Replica) { exists = r.Version > 0 })
	if !exists {
		release()
		return nil, nil, notFound(id)
	}
	return f, release, nil
}

func notFound(id string) error {
	return fault.New(fault.NotFound, "UNKNOWN_ENCOUNTER", "there is no encounter %q", id)
}

// named checks the names of an encounter and fills in the table.
func named(table, id string) (aggregate.Name, error) {
	table, err := aggregate.Table(table)
	if err == nil {
		err = aggregate.CheckID("encounter", id)
	}
	return aggregate.Name{Table: table, Kind: aggregate.Encounter, ID: id}, err
}

func (e *Engine) make(ctx context.Context, n aggregate.Name) (*Fight, error) {
	r, err := e.cfg.Loader.Load(n.Table, n.ID)
	if err != nil {
		return nil, err
	}
	f := newFight(n, r, e.cfg.Loader)
	f.stir, f.parts = func() { e.stir(n) }, e.partsOf(n)
	return f, e.follow(ctx, f)
}

// follow brings a fight up to the end of the log.
func (e *Engine) follow(ctx context.Context, f *Fight) error {
	f.execute.Lock()
	defer f.execute.Unlock()
	if c, ok := e.cfg.Loader.Closed(f.table, f.id); ok {
		f.shut(c)
		return nil
	}
	err := e.catchUp(ctx, f)
	if err == nil {
		err = e.compared(f, e.log.Compare(ctx, f.name, f.replica.Head, aggregate.CommitHash))
	}
	if f.Broken() != nil {
		return nil // it is there, and closed
	}
	return aggregate.Fault(err)
}
