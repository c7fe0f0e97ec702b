package ward

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"log/slog"
	"time"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/library/books"
	"github.com/skaldrpg/skald/pkg/limits"
	"github.com/skaldrpg/skald/pkg/projection"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/tombstone"
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
	// Believe is that of injury.Config.
	Believe *tombstone.Reader
	// Logger; nil means slog.Default.
	Logger *slog.Logger
	// Clock says when a Commit was made; nil means time.Now.
	Clock func() time.Time
	// Random is where salts come from; nil means crypto/rand.
	Random io.Reader
	// InlineBytes is that of injury.Config.
	InlineBytes int
	// Recorded says that Store holds all that there is: a Replay's server asks no log.
	Recorded bool
}

// Server answers the injury service's calls. It is safe for concurrent use.
type Server struct {
	injuryv1.UnimplementedInjuryServiceServer
	injuryv1.UnimplementedAssessmentServiceServer
	cfg    Config
	log    *aggregate.Log
	sealer aggregate.Sealer
	closed *aggregate.Closed // found broken here
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
	if cfg.InlineBytes == 0 {
		cfg.InlineBytes = limits.InlineAmendmentBytes
	}
	return &Server{cfg: cfg, log: aggregate.Over(cfg.Journal, cfg.Partition).Believing(cfg.Believe), closed: aggregate.NewClosed(cfg.Logger, cfg.Partition),
		sealer: aggregate.Sealer{Partition: cfg.Partition, Engine: EngineVersion, Clock: cfg.Clock, Random: cfg.Random}}
}

// decided runs decide until it does not lose its race (W2).
func (s *Server) decided(ctx context.Context, decide func() (*injuryv1.TendResponse, error)) (*injuryv1.TendResponse, error) {
	reply, err := aggregate.Decide(decide, func(lost *journal.ConflictError) error {
		n, _ := aggregate.Parse(lost.Subject) // it is one of our own messages'
		last, err := s.log.Last(ctx, n)
		if err != nil {
			return err
		}
		return s.cfg.Store.WaitFor(ctx, last)
	})
	return reply, aggregate.Fault(err)
}

// catchUp waits until the record holds all that is stored of aggregates, so that
// what another service has just been told counts here as well, and holds the last
// record that the log has of each against the one that was folded: behind an
// altered one nothing may be appended.
func (s *Server) catchUp(ctx context.Context, names ...aggregate.Name) error {
	if s.cfg.Recorded {
		return nil
	}
	for _, n := range names {
		err := s.log.CatchUp(ctx, n, aggregate.CommitHash, func(sequence uint64) (head aggregate.Head, err error) {
			if err := s.cfg.Store.WaitFor(ctx, sequence); err != nil {
				return head, err
			}
			if _, closed := s.closure(n); closed {
				return head, nil
			}
			err = s.cfg.Store.View(func(tx *projection.Tx) error {
				head, err = record.Head(tx, n)
				return err
			})
			return head, err
		})
		var altered *journal.AlteredError
		if errors.As(err, &altered) {
			s.closed.Add(n, altered.Sequence, altered)
			continue
		}
		if err != nil {
			return aggregate.Fault(err)
		}
	}
	return nil
}

// catchUpPatients is catchUp for patients, once the whole log was read.
func (s *Server) catchUpPatients(ctx context.Context, tableID string, ids ...string) error {
	if err := s.cfg.Store.WaitCaughtUp(ctx); err != nil {
		return aggregate.Fault(err)
	}
	var names []aggregate.Name
	for _, id := range ids {
		names = append(names, record.Named(tableID, id))
	}
	return s.catchUp(ctx, names...)
}

// catchUpAll waits until the record holds all that is stored now.
func (s *Server) catchUpAll(ctx context.Context) error {
	if s.cfg.Recorded {
		return nil
	}
	end, err := s.log.End(ctx)
	if err != nil {
		return err
	}
	return aggregate.Fault(s.cfg.Store.WaitFor(ctx, end))
}

// append stores messages, all or none, and waits until the record has them.
func (s *Server) append(ctx context.Context, ms []journal.Message) error {
	seqs, err := s.log.Append(ctx, ms...)
	if err != nil {
		return err
	}
	return s.cfg.Store.WaitFor(ctx, seqs[len(seqs)-1])
}
