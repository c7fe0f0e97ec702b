package ward

import (
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
	"github.com/skaldrpg/skald/pkg/library/books"
	"github.com/skaldrpg/skald/pkg/projection"
	"github.com/skaldrpg/skald/pkg/rules"
	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"

	"github.com/skaldrpg/skald/services/injury/internal/record"
)

// Store is the projection as the server needs it.
type Store interface {
	// View reads in one transaction.
	View(fn func(*projection.Tx) error) error
	// WaitFor returns when the record at a stream sequence has been applied.
	WaitFor(ctx context.Context, seq uint64) error
	// ClosedOf tells whether a patient's or an encounter's record is broken.
	ClosedOf(table, kind, id string) (projection.Closure, bool)
	// WaitCaughtUp returns when the end of the log was reached once.
	WaitCaughtUp(ctx context.Context) error
}

// Config is what a server needs.
type Config struct {
	// Journal is where Commits go.
	Journal journal.Log
	// Partition is the number of the stream that Journal is.
	Partition int
	// Store is where records are read.
	Store Store
	// Dice draws and opens branches.
	Dice dicev1.TapeServiceClient
	// Systems are the rule systems of the build.
	Systems *rules.Registry
	// Books finds the content that encounters have pinned.
	Books *books.Library
	// Logger; nil means slog.Default.
	Logger *slog.Logger
	// Clock says when a Commit was made; nil means time.Now.
	Clock func() time.Time
	// Random is where salts come from; nil means crypto/rand.
	Random io.Reader
}

// Server answers the injury service's calls. It is safe for concurrent use.
type Server struct {
	injuryv1.UnimplementedInjuryServiceServer
	injuryv1.UnimplementedAssessmentServiceServer
	cfg Config

	mu     sync.Mutex
	closed map[string]projection.Closure // found broken here, by subject
}

// New makes a server.
func New(cfg Config) *Server {
	if cfg.Logger == nil {
		cfg.Logger = slog.Default()
	}
	if cfg.Clock == nil {
		cfg.Clock = time.Now
	}
	if cfg.Random == nil {
		cfg.Random = rand.Reader
	}
	return &Server{cfg: cfg, closed: map[string]projection.Closure{}}
}

// maxAttempts bounds how often a lost race is decided again.
const maxAttempts = 24

// deciding runs decide until it does not lose the race (W2).
func (s *Server) deciding(ctx context.Context, decide func() error) error {
	for range maxAttempts {
		err := decide()
		var lost *journal.ConflictError
		if !errors.As(err, &lost) {
			return stored(err)
		}
		if err := s.catchUp(ctx, lost.Subject); err != nil {
			return err
		}
	}
	return fault.New(fault.Conflict, "LOST_RACE", "other commands kept winning; try again")
}

// catchUp waits until the record holds all that is stored on a subject now.
func (s *Server) catchUp(ctx context.Context, subject string) error {
	last, ok, err := s.cfg.Journal.Last(ctx, subject)
	if err != nil {
		return stored(err)
	}
	if !ok {
		return nil
	}
	return s.cfg.Store.WaitFor(ctx, last.Seq)
}

// catchUpPatients waits until the record holds all that is stored of patients,
// so that what another service has just been told counts here as well.
func (s *Server) catchUpPatients(ctx context.Context, tableID string, ids ...string) error {
	if err := s.cfg.Store.WaitCaughtUp(ctx); err != nil {
		return err
	}
	for _, id := range ids {
		subject, err := journal.SubjectIn(s.cfg.Partition, tableID, record.KindPatient, id)
		if err != nil {
			return err
		}
		if err := s.catchUpAndCompare(ctx, subject, tableID, id); err != nil {
			return err
		}
	}
	return nil
}

// catchUpAll waits until the record holds all that is stored now.
func (s *Server) catchUpAll(ctx context.Context) error {
	info, err := s.cfg.Journal.Info(ctx)
	if err != nil {
		return stored(err)
	}
	return s.cfg.Store.WaitFor(ctx, info.LastSeq)
}

// append stores messages: one alone, several all or none.
func (s *Server) append(ctx context.Context, ms []journal.Message) error {
	var last uint64
	if len(ms) == 1 {
		seq, err := s.cfg.Journal.Append(ctx, ms[0])
		if err != nil {
			return err
		}
		last = seq
	} else {
		seqs, err := s.cfg.Journal.AppendAtomic(ctx, ms)
		if err != nil {
			return err
		}
		last = seqs[len(seqs)-1]
	}
	return s.cfg.Store.WaitFor(ctx, last)
}

// stored turns an error of the journal into a fault; others stay.
func stored(err error) error { return storefault.Of(err) }
