package dice

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"google.golang.org/grpc"

	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/limits"
	"github.com/skaldrpg/skald/pkg/ops"
	"github.com/skaldrpg/skald/pkg/projection"
	"github.com/skaldrpg/skald/pkg/rpc"
	"github.com/skaldrpg/skald/pkg/shards"
	"github.com/skaldrpg/skald/pkg/tombstone"
	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
	"github.com/skaldrpg/skald/services/dice/internal/api"
	"github.com/skaldrpg/skald/services/dice/internal/ledger"
	"github.com/skaldrpg/skald/services/dice/internal/roller"
	"github.com/skaldrpg/skald/services/dice/internal/store"
)

// Name is the service's name on gRPC, for health checks.
const Name = "skald.dice.v1.DiceService"

// InternalName is the name of what it does for the other services.
const InternalName = "skald.dice.v1.TapeService"

// keyFile is the master key's file in the data folder.
const keyFile = "dice.key"

// Config is what the service needs.
type Config struct {
	// Journal is the log, already open.
	Journal journal.Log
	// Partition is the number of the stream that Journal is.
	Partition int
	// DataDir holds the projection and, unless keys come from elsewhere, the
	// master key. One process uses it at a time.
	DataDir string
	// MasterKeys are the master keys as text, the current one first and old
	// ones after it, separated by commas or lines: 32 bytes each in hexadecimal
	// or base64, with or without an id and a colon before. Empty means the file.
	MasterKeys string
	// MasterKeyFile holds them in the same form, with mode 0600 or less; empty
	// means dice.key in DataDir.
	MasterKeyFile string
	// CreateMasterKey makes the file when there is none and nothing was ever
	// sealed. Off, a missing file is an error.
	CreateMasterKey bool
	// Alone says that no other process serves dice on this stream, which saves
	// a question to the stream's leader each time a tape is opened.
	Alone bool
	// OddsCache is how many bytes of computed odds are kept, 0 means
	// limits.OddsCacheBytes.
	OddsCache int64
	// OddsMemory is how many bytes all computations of odds at a time may hold,
	// 0 means limits.OddsMemoryBytes.
	OddsMemory int64
	// Work is how much work one principal's expressions may take each second,
	// in word multiplications, 0 means limits.DiceWorkPerSecond; ten seconds'
	// worth can be saved up.
	Work int64
	// Who tells whose work a call is; nil means the caller's address.
	Who func(context.Context) string
	// Believe reads the tombstones of deleted tables; nil believes none.
	Believe *tombstone.Reader
	// Logger; nil means slog.Default.
	Logger *slog.Logger
	// Clock tells the time of records; nil means time.Now.
	Clock func() time.Time
	// Random is where roots come from; nil means crypto/rand. Whoever knows it
	// knows every face: anything else is for tests that repeat a fight.
	Random io.Reader
	// OnHealth, if any, is told when Err becomes or stops being nil while Run
	// runs: what a health check answers. It must be quick.
	OnHealth func(error)
}

// Service is the dice service over one stream; [Router] is it over all.
type Service struct {
	cfg    Config
	store  *store.Store
	ledger *ledger.Ledger
	api    *api.Server

	mu      sync.Mutex
	failure error // of the projection
	closed  bool
}

// New opens the projection and the keys and checks that these open what the log
// holds. It reads the log but starts nothing: Run does. Close what it returns.
func New(ctx context.Context, cfg Config) (*Service, error) {
	if cfg.Journal == nil || cfg.DataDir == "" {
		return nil, errors.New("dice: a journal and a data folder are needed")
	}
	cfg, err := cfg.filled()
	if err != nil {
		return nil, err
	}
	s := &Service{cfg: cfg}
	sc := cfg.store()
	sc.Applied = s.applied
	st, err := store.Open(ctx, sc)
	if err != nil {
		return nil, fmt.Errorf("dice: %w", err)
	}
	s.store = st
	if err := s.open(ctx); err != nil {
		return nil, errors.Join(err, st.Close())
	}
	return s, nil
}

// filled is the configuration with what was left out.
func (cfg Config) filled() (Config, error) {
	if cfg.Logger == nil {
		cfg.Logger = slog.Default()
	}
	if cfg.Clock == nil {
		cfg.Clock = time.Now
	}
	if cfg.Random == nil {
		cfg.Random = rand.Reader
	}
	cfg.OddsCache = cmp.Or(cfg.OddsCache, limits.OddsCacheBytes)
	cfg.OddsMemory = cmp.Or(cfg.OddsMemory, limits.OddsMemoryBytes)
	cfg.Work = cmp.Or(cfg.Work, limits.DiceWorkPerSecond)
	if cfg.Who == nil {
		cfg.Who = rpc.PeerAddress
	}
	if cfg.OddsCache < 0 || cfg.OddsMemory < 0 || cfg.Work < 0 {
		return cfg, errors.New("dice: a limit below zero")
	}
	if cfg.MasterKeyFile == "" {
		cfg.MasterKeyFile = filepath.Join(cfg.DataDir, keyFile)
	}
	return cfg, nil
}

func (c Config) store() store.Config {
	return store.Config{Path: FileOf(c.DataDir, c.Partition), Log: c.Journal, Partition: c.Partition, Believe: c.Believe, Logger: c.Logger, Clock: c.Clock}
}

func (c Config) api() api.Config {
	return api.Config{
		Odds: roller.OddsLimits{Cache: c.OddsCache, Memory: c.OddsMemory, Wait: limits.OddsWaitSeconds * time.Second},
		Work: roller.BudgetLimits{PerSecond: c.Work, Burst: limits.DiceWorkSavedSeconds * c.Work},
		Who:  c.Who, Now: c.Clock,
	}
}

func (s *Service) open(ctx context.Context) error {
	keys, err := openKeys(ctx, s.cfg, s.store)
	if err != nil {
		return err
	}
	s.ledger = ledger.New(ledger.Config{Log: s.cfg.Journal, Partition: s.cfg.Partition, Keys: keys, Store: s.store, Believe: s.cfg.Believe, Alone: s.cfg.Alone,
		Clock: s.cfg.Clock, Random: s.cfg.Random, Logger: s.cfg.Logger,
		Changed: s.cfg.OnHealth})
	s.api, err = api.New(s.ledger, s.store, s.cfg.api())
	return err
}

// applied lets go of the dice of tables that were deleted.
func (s *Service) applied(recs []journal.Record) {
	for _, rec := range recs {
		if table, ok := journal.SplitTombstone(rec.Subject); ok {
			s.ledger.Bury(table)
		}
	}
}

// Deleted is the fault that a deleted table answers; nil for any other.
func (s *Service) Deleted(table string) error { return s.store.DeletedFault(table) }

// Memory is how the dice in memory stand.
func (s *Service) Memory() ops.Part { return s.ledger.Part() }

// File is the path of the projection of stream 0 in a data folder.
func File(dataDir string) string { return FileOf(dataDir, 0) }

// FileOf is the path of the projection of a stream in a data folder.
func FileOf(dataDir string, partition int) string {
	return filepath.Join(dataDir, shards.File("dice", partition))
}

// Rebuild builds the projection anew from the whole log, while no service has
// it open; progress may be nil.
func Rebuild(ctx context.Context, cfg Config, progress func(done, total uint64)) error {
	if cfg.Logger == nil {
		cfg.Logger = slog.Default()
	}
	if err := store.Rebuild(ctx, cfg.store(), progress); err != nil {
		return fmt.Errorf("dice: %w", err)
	}
	return nil
}

// Register offers what is for callers on a server. Calls may come before Run;
// those that need the projection wait for it.
func (s *Service) Register(r grpc.ServiceRegistrar) {
	dicev1.RegisterDiceServiceServer(r, s.api)
}

// RegisterInternal offers what is for the other services alone: epochs, draws and
// seeds. Never on a server that callers reach.
func (s *Service) RegisterInternal(r grpc.ServiceRegistrar) {
	dicev1.RegisterTapeServiceServer(r, s.api)
}

// Run folds the log and appends queued tapes until ctx ends, then returns nil.
// An error means that the projection stopped: the service must be ended.
func (s *Service) Run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	flushed := make(chan struct{})
	go func() { // ends with ctx
		defer close(flushed)
		s.ledger.Run(ctx)
	}()
	err := s.store.Run(ctx)
	if ctx.Err() != nil {
		err = nil
	}
	if err != nil {
		err = fmt.Errorf("dice: projection stopped: %w", err)
		s.fail(err)
	}
	cancel()
	<-flushed
	return err
}

func (s *Service) fail(err error) {
	s.mu.Lock()
	s.failure = err
	s.mu.Unlock()
	if s.cfg.OnHealth != nil {
		s.cfg.OnHealth(err)
	}
}

// Err is what is wrong with the service now; nil when it is healthy: the
// projection stopped, or tapes that were opened are not on the log.
func (s *Service) Err() error {
	s.mu.Lock()
	err := s.failure
	s.mu.Unlock()
	if err != nil {
		return err
	}
	return s.ledger.Err()
}

// Ready waits until the projection has read the log to its end once.
func (s *Service) Ready(ctx context.Context) error { return s.store.WaitCaughtUp(ctx) }

// WaitFor waits until the record at a stream sequence has been applied.
func (s *Service) WaitFor(ctx context.Context, seq uint64) error { return s.store.WaitFor(ctx, seq) }

// Status is how the projection stands.
func (s *Service) Status() projection.Status { return s.store.Status() }

// Part is how the service stands: its projection, and the dice that are closed
// because their record is broken.
func (s *Service) Part() ops.Part {
	part := s.store.Part("dice", s.ledger.Closed()...)
	if err := s.ledger.Err(); err != nil {
		part.State = max(part.State, ops.Degraded)
		part.Text = strings.TrimPrefix(part.Text+"; "+err.Error(), "; ")
	}
	return part
}

// ContentHash is a hash over the projection's content, equal in every projection
// of the same log.
func (s *Service) ContentHash() ([]byte, error) { return s.store.ContentHash() }

// closeTimeout bounds how long Close tries to append queued tapes.
const closeTimeout = 5 * time.Second

// Close appends the tapes still queued and closes the projection. The server
// must have stopped and Run must have returned. It is idempotent.
func (s *Service) Close() error {
	s.mu.Lock()
	closed := s.closed
	s.closed = true
	s.mu.Unlock()
	if closed {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
	defer cancel()
	return errors.Join(s.ledger.Close(ctx), s.store.Close())
}
