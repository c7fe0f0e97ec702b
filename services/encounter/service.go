// Package encounter is the encounter service: it takes commands, lets the rule
// systems decide, stores one Commit a command, and shows every viewer what it
// may see. This package is what a process needs to run it; everything else is
// internal.
//
// It must never lower a hit point by itself (the injury service decides harm),
// and never show a caller anything that is not cut from the caller's view.
package encounter

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"google.golang.org/grpc"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/attest"
	"github.com/skaldrpg/skald/pkg/feed"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/library/books"
	"github.com/skaldrpg/skald/pkg/limits"
	"github.com/skaldrpg/skald/pkg/ops"
	"github.com/skaldrpg/skald/pkg/projection"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/shards"
	"github.com/skaldrpg/skald/pkg/tombstone"
	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
	"github.com/skaldrpg/skald/services/encounter/internal/api"
	"github.com/skaldrpg/skald/services/encounter/internal/engine"
	publish "github.com/skaldrpg/skald/services/encounter/internal/feed"
	"github.com/skaldrpg/skald/services/encounter/internal/shelf"
	"github.com/skaldrpg/skald/services/encounter/internal/store"
)

// Config says what the service works with.
type Config struct {
	// Journal is the event store.
	Journal journal.Log
	// Dice draws faces.
	Dice dicev1.TapeServiceClient
	// Injury decides harm.
	Injury injuryv1.AssessmentServiceClient
	// Systems are the rule systems.
	Systems *rules.Registry
	// Packs are packs that every table may use, as they are stored: see
	// books.Offer. It is asked when they are first wanted; nil means none.
	Packs func() ([][]byte, error)
	// DataDir holds the projection file.
	DataDir string
	// Keys sign heads and checkpoints; nil means those of KeysFile.
	Keys *attest.Keys
	// KeysFile holds them; empty means KeysFile in DataDir. It is made when there is
	// none and no Commit is stored: later it is missed.
	KeysFile string
	// Partition is the number of the stream that Journal is.
	Partition int
	// FightMemory bounds what fights in memory take, bytes: twelve sixteenths are for
	// those that are played, three for the projection's fold, one for what was asked of the past last:
	// half for states, half for what rulings went back from and to. 0 means limits.FightMemoryBytes. A Router shares it out among its streams.
	FightMemory int64
	// InlineBytes is what the new history of an amendment may take in its Commit, bytes;
	// a longer one is written to a branch. 0 means limits.InlineAmendmentBytes.
	InlineBytes int
	// Feed is where the steps of spectators are published; nil publishes none. It is
	// the caller's to close after Run has returned.
	Feed *feed.Writer
	// FeedTables are the tables that are published; empty means all.
	FeedTables []string
	// Heartbeat is how long a watch is silent at most; 0 means 20 seconds.
	Heartbeat time.Duration
	// Logger; nil means slog.Default.
	Logger *slog.Logger
	// Clock; nil means time.Now.
	Clock func() time.Time
	// Random is where salts come from; nil means crypto/rand.
	Random io.Reader
}

// Service is the encounter service over one stream; [Router] is it over all.
type Service struct {
	cfg        Config
	projection *projection.Projection
	engine     *engine.Engine
	api        *api.Server
	content    *api.Content
	record     *api.Record
	whatIf     *api.WhatIf
	known      *store.Known
	publisher  *publish.Publisher // nil without a feed
	records    chan []journal.Record
	missed     atomic.Bool // records were passed over
	stopping   chan struct{}
	stop       sync.Once
}

// File is the path of the projection of stream 0 in a data folder.
func File(dataDir string) string { return FileOf(dataDir, 0) }

// FileOf is the path of the projection of a stream in a data folder.
func FileOf(dataDir string, partition int) string {
	return filepath.Join(dataDir, shards.File("encounter", partition))
}

// New opens the projection; errors are those of projection.Open, of attest.ReadKeys
// and ErrKeysMissing.
func New(ctx context.Context, cfg Config) (*Service, error) {
	if cfg.Logger == nil {
		cfg.Logger = slog.Default()
	}
	if cfg.FightMemory < 0 {
		return nil, fmt.Errorf("encounter: %d bytes for fights in memory", cfg.FightMemory)
	}
	cfg.FightMemory = cmp.Or(cfg.FightMemory, limits.FightMemoryBytes)
	if err := cfg.openKeys(ctx, []inStream{{cfg.Journal, cfg.Partition}}); err != nil {
		return nil, fmt.Errorf("encounter: %w", err)
	}
	s := &Service{cfg: cfg, records: make(chan []journal.Record, 64), stopping: make(chan struct{})}
	pc := projectionConfig(cfg)
	pc.Applied = s.applied
	p, err := projection.Open(ctx, pc)
	if err != nil {
		return nil, fmt.Errorf("encounter: %w", err)
	}
	s.projection = p
	s.known = store.NewKnown(cfg.FightMemory / 32)
	rows := store.Reader{P: p, Known: s.known}
	base := books.BaseOf(cfg.Systems)
	packs := shelf.New(shelf.Config{Log: cfg.Journal, Partition: cfg.Partition, Rows: store.Reader{P: p}, Base: base, Offered: cfg.Packs, Believe: cfg.believe(), Clock: cfg.Clock})
	s.content = &api.Content{Shelf: packs, Base: base, Systems: cfg.Systems}
	s.engine = engine.New(engine.Config{Log: cfg.Journal, Dice: cfg.Dice, Injury: cfg.Injury, Systems: cfg.Systems,
		Shelf: packs, Loader: rows, Partition: cfg.Partition, Logger: cfg.Logger, Clock: cfg.Clock, Random: cfg.Random,
		Memory: cfg.FightMemory / 4 * 3, InlineBytes: cfg.InlineBytes, Believe: cfg.believe(), Deleted: s.Deleted})
	s.api = &api.Server{Engine: s.engine, Archive: rows, Systems: cfg.Systems, Done: s.stopping, Heartbeat: cfg.Heartbeat, Keys: cfg.Keys, Content: s.content, Uploads: api.NewUploads(), Rulings: api.NewRulings(cfg.FightMemory / 32)}
	s.record = &api.Record{Server: s.api, Tree: rows, Stream: cfg.Partition, Patients: cfg.Injury}
	s.whatIf = &api.WhatIf{Server: s.api}
	if cfg.Feed != nil {
		s.publisher = publish.New(publish.Config{Writer: cfg.Feed, Source: published{s}, Tables: cfg.FeedTables, Logger: cfg.Logger})
	}
	return s, nil
}

func projectionConfig(cfg Config) projection.Config {
	return projection.Config{Path: FileOf(cfg.DataDir, cfg.Partition), Schema: store.Schema, Log: cfg.Journal,
		Filter: aggregate.Encounter.Filter(cfg.Partition), Fold: store.NewFold(cfg.FightMemory / 16 * 3),
		Tombstones: journal.TombstoneFilter(cfg.Partition, string(aggregate.Encounter)), Believe: cfg.believe(), Logger: cfg.Logger, Clock: cfg.Clock,
		Gather: projection.Unhurried}
}

// believe reads the tombstones that this server's keys signed.
func (c Config) believe() *tombstone.Reader {
	if c.Keys != nil {
		return tombstone.ByKeys(c.Keys)
	}
	return tombstone.ByFile(c.keysPath())
}

// Deleted is the fault that a deleted table answers; nil for any other.
func (s *Service) Deleted(table string) error { return s.projection.DeletedFault(table) }

// applied hands records to Run, which brings watchers up to what other
// processes stored. When Run is behind, records are passed over, and every fight
// is looked at once instead.
func (s *Service) applied(recs []journal.Record) {
	for _, rec := range recs {
		if n, ok := aggregate.Parse(rec.Subject); ok && n.Kind == aggregate.Encounter {
			s.publisher.Touch(n.Table, n.ID, rec.Seq)
		} else if table, ok := journal.SplitTombstone(rec.Subject); ok {
			s.publisher.Bury(table)
		}
	}
	select {
	case s.records <- slices.Clone(recs): // the slice is the tail's own
	default:
		s.missed.Store(true)
	}
}

// Register registers the encounter, the record, the content and the rules service.
func (s *Service) Register(r grpc.ServiceRegistrar) {
	encounterv1.RegisterEncounterServiceServer(r, s.api)
	encounterv1.RegisterRecordServiceServer(r, s.record)
	encounterv1.RegisterContentServiceServer(r, s.content)
	encounterv1.RegisterWhatIfServiceServer(r, s.whatIf)
	RegisterRules(r, s.cfg.Systems)
}

// Run keeps the projection, the watchers and the deadlines going until the
// context ends or the projection fails.
func (s *Service) Run(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var wg sync.WaitGroup
	run := func(fn func(context.Context) error) {
		wg.Go(func() {
			if err := fn(ctx); err != nil && ctx.Err() == nil {
				cancel(err)
			}
		})
	}
	run(s.projection.Run)
	run(s.engine.Run)
	run(s.follow)
	run(s.publish)
	wg.Wait()
	err := context.Cause(ctx)
	if errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

func (s *Service) follow(ctx context.Context) error {
	for {
		select {
		case recs := <-s.records:
			for _, rec := range recs {
				if table, ok := journal.SplitTombstone(rec.Subject); ok {
					s.bury(table)
					continue
				}
				s.engine.Follow(ctx, rec)
			}
			if s.missed.Swap(false) {
				s.engine.FollowAll(ctx)
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// bury lets go of what is in memory of a table that was deleted, and ends its
// watches. It does nothing while the tombstone is not believed.
func (s *Service) bury(table string) {
	if s.Deleted(table) != nil {
		s.engine.Bury(table)
		s.known.Forget()
		s.api.Rulings.Forget()
	}
}

// Ready waits until the projection has caught up with the log once.
func (s *Service) Ready(ctx context.Context) error { return s.projection.WaitCaughtUp(ctx) }

// WaitFor waits until the record at a stream sequence has been applied.
func (s *Service) WaitFor(ctx context.Context, seq uint64) error {
	return s.projection.WaitFor(ctx, seq)
}

// Status is how the projection stands.
func (s *Service) Status() projection.Status { return s.projection.Status() }

// Part is how the service stands: its projection, and the encounters that are
// closed because their record is broken.
func (s *Service) Part() ops.Part { return s.projection.Part("encounter", s.engine.Closed()...) }

// Memory is how the fights in memory stand.
func (s *Service) Memory() ops.Part { return s.engine.Part() }

// ContentHash is the hash of the projection's content, for comparing a rebuilt
// one with a live one.
func (s *Service) ContentHash() ([]byte, error) { return s.projection.ContentHash() }

// StopWatches ends every watch with a status that tells clients to watch again.
func (s *Service) StopWatches() { s.stop.Do(func() { close(s.stopping) }) }

// Close closes the projection. Run must have returned.
func (s *Service) Close() error {
	s.StopWatches()
	return s.projection.Close()
}

// Rebuild builds the projection in a data folder again from the log. The
// service must not be running on it.
func Rebuild(ctx context.Context, cfg Config, progress func(done, total uint64)) error {
	return projection.Rebuild(ctx, projectionConfig(cfg), progress)
}
