package injury

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"time"

	"google.golang.org/grpc"

	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/library/books"
	"github.com/skaldrpg/skald/pkg/ops"
	"github.com/skaldrpg/skald/pkg/projection"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/shards"
	"github.com/skaldrpg/skald/pkg/tombstone"
	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"

	"github.com/skaldrpg/skald/services/injury/internal/record"
	"github.com/skaldrpg/skald/services/injury/internal/ward"
)

// Name is the service's name on gRPC, for health checks.
const Name = "skald.injury.v1.InjuryService"

// InternalName is the name of what it does for the encounter service.
const InternalName = "skald.injury.v1.AssessmentService"

// File is the path of the projection of stream 0 in a data folder.
func File(dataDir string) string { return FileOf(dataDir, 0) }

// FileOf is the path of the projection of a stream in a data folder.
func FileOf(dataDir string, partition int) string {
	return filepath.Join(dataDir, shards.File("injury", partition))
}

// schema is the version of what the projection holds: another one is rebuilt.
const schema = "9"

// Config is what the service needs.
type Config struct {
	// Journal is the log, already opened; it stays the caller's.
	Journal journal.Log
	// Partition is the number of the stream that Journal is.
	Partition int
	// Dice draws faces and opens branches; its connection stays the caller's.
	Dice dicev1.TapeServiceClient
	// Systems are the rule systems of the build.
	Systems *rules.Registry
	// DataDir holds the projection's file; it is made if need be.
	DataDir string
	// Believe reads the tombstones of deleted tables; nil believes none.
	Believe *tombstone.Reader
	// Logger; nil means slog.Default.
	Logger *slog.Logger
	// Clock gives the time written into Commits; nil means time.Now.
	Clock func() time.Time
	// InlineBytes is what a ruling's part in a record may take in its Commit, bytes; a
	// longer one is written to a branch. 0 means limits.InlineAmendmentBytes.
	InlineBytes int
}

// ErrConfig wraps what is missing from a Config.
var ErrConfig = errors.New("injury: configuration")

func (c Config) check() error {
	switch {
	case c.Journal == nil:
		return fmt.Errorf("%w: no journal", ErrConfig)
	case c.DataDir == "":
		return fmt.Errorf("%w: no data folder", ErrConfig)
	}
	return nil
}

// projection is how the record is kept. The whole partition is followed: the
// record needs patients and encounters in the order in which they were stored.
func (c Config) projection() projection.Config {
	return projection.Config{Path: FileOf(c.DataDir, c.Partition), Schema: schema, Log: c.Journal,
		Filter: journal.PartitionFilter(c.Partition), Fold: record.Fold{}, Believe: c.Believe, Logger: c.Logger, Clock: c.Clock, Gather: projection.Unhurried}
}

// Service is the injury service over one stream; [Router] is it over all.
type Service struct {
	store  *projection.Projection
	server *ward.Server
	record *ward.Record
}

// New opens the projection. Errors are those of projection.Open and ErrConfig.
func New(ctx context.Context, cfg Config) (*Service, error) {
	if err := cfg.check(); err != nil {
		return nil, err
	}
	if cfg.Dice == nil || cfg.Systems == nil {
		return nil, fmt.Errorf("%w: no dice or no rule systems", ErrConfig)
	}
	store, err := projection.Open(ctx, cfg.projection())
	if err != nil {
		return nil, err
	}
	content := books.New(books.Config{Where: books.In(cfg.Journal, cfg.Partition), Base: books.BaseOf(cfg.Systems)})
	server := ward.New(ward.Config{Journal: cfg.Journal, Partition: cfg.Partition, Store: store, Dice: cfg.Dice,
		Systems: cfg.Systems, Books: content, Believe: cfg.Believe, Logger: cfg.Logger, Clock: cfg.Clock, InlineBytes: cfg.InlineBytes})
	return &Service{store: store, server: server, record: ward.RecordOf(server)}, nil
}

// Register offers what is for callers on a server. Calls wait until Run has read
// the log to its end.
func (s *Service) Register(r grpc.ServiceRegistrar) {
	injuryv1.RegisterInjuryServiceServer(r, s.server)
	injuryv1.RegisterPatientRecordServiceServer(r, s.record)
}

// RegisterInternal offers what is for the encounter service alone: assessments,
// and patients that enter and leave fights. Never on a server that callers reach.
func (s *Service) RegisterInternal(r grpc.ServiceRegistrar) {
	injuryv1.RegisterAssessmentServiceServer(r, s.server)
}

// Run follows the log until the context ends, which is no error, or the log
// turns out to be broken or to have lost records, which is.
func (s *Service) Run(ctx context.Context) error {
	err := s.store.Run(ctx)
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// WaitReady waits until Run has read the log to its end once.
func (s *Service) WaitReady(ctx context.Context) error { return s.store.WaitCaughtUp(ctx) }

// Ready is WaitReady.
func (s *Service) Ready(ctx context.Context) error { return s.WaitReady(ctx) }

// WaitFor waits until the record at a stream sequence has been applied.
func (s *Service) WaitFor(ctx context.Context, seq uint64) error { return s.store.WaitFor(ctx, seq) }

// Deleted is the fault that a deleted table answers; nil for any other.
func (s *Service) Deleted(table string) error { return s.store.DeletedFault(table) }

// Status is how the projection stands, for health checks.
func (s *Service) Status() projection.Status { return s.store.Status() }

// Part is how the service stands: its projection, and the patients and fights that
// are closed because their record is broken.
func (s *Service) Part() ops.Part { return s.store.Part("injury", s.server.Closed()...) }

// ContentHash is a digest of the projection's content, to be compared with
// that of a rebuilt one.
func (s *Service) ContentHash() ([]byte, error) { return s.store.ContentHash() }

// Close closes the projection's file. Run must have returned.
func (s *Service) Close() error { return s.store.Close() }

// Rebuild makes the projection's file again from the log alone. The service
// must not be running. progress, which may be nil, is told how many of how many
// records have been read.
func Rebuild(ctx context.Context, cfg Config, progress func(done, total uint64)) error {
	if err := cfg.check(); err != nil {
		return err
	}
	return projection.Rebuild(ctx, cfg.projection(), progress)
}
