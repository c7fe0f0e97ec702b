package journal

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"sync"

	"github.com/nats-io/nats.go"

	"github.com/skaldrpg/skald/pkg/limits"
)

// StreamName is the name of stream p.
func StreamName(p int) string { return "SKALD_" + strconv.Itoa(p) }

// SetConfig says which streams to open.
type SetConfig struct {
	// Replicas that each stream must have; 0 means 1.
	Replicas int
	// MaxBytes of each stream, when created; 0 means unlimited.
	MaxBytes int64
	// MaxMessage is that of Config.
	MaxMessage int
	// Create makes streams that are missing; needs an administrator.
	Create bool
	// Streams is how many there must be at least, with Create; fewer than there
	// are changes nothing, since streams are never taken away. 0 means 1.
	Streams int
	// Log; nil means slog.Default.
	Log *slog.Logger
	// Gate is that of Config.
	Gate Gate
	// Alone is that of Config.
	Alone bool
	// Wrap is that of Config, for tests.
	Wrap func(Backend) Backend
	// Shown wraps each stream as services see it, for tests; nil shows it as it is.
	Shown func(Log) Log
}

// Set is the streams of a deployment and the directory that says which table is
// in which. It is safe for concurrent use; the connection stays the caller's.
type Set struct {
	nc     *nats.Conn
	cfg    SetConfig
	places places

	growing sync.Mutex // one Refresh or Grow at a time
	shut    shut

	mu      sync.Mutex
	streams []*Stream
}

// OpenSet opens stream 0, reads in it how many there are, and opens the others.
// Errors are those of Open.
func OpenSet(ctx context.Context, nc *nats.Conn, cfg SetConfig) (*Set, error) {
	if cfg.Log == nil {
		cfg.Log = slog.Default()
	}
	if cfg.Streams > limits.Streams || cfg.Streams < 0 {
		return nil, fmt.Errorf("%w: %d streams, at most %d", ErrInvalid, cfg.Streams, limits.Streams)
	}
	s := &Set{nc: nc, cfg: cfg, places: places{most: limits.PlacesKept}}
	if err := s.open(ctx, 1, cfg.Create); err != nil {
		return nil, err
	}
	if cfg.Create && cfg.Streams > 1 {
		return s, s.Grow(ctx, cfg.Streams)
	}
	return s, s.Refresh(ctx)
}

// open opens streams until there are n; the caller holds growing or is alone.
func (s *Set) open(ctx context.Context, n int, create bool) error {
	for p := s.Streams(); p < n; p++ {
		j, err := Open(ctx, s.nc, Config{Stream: StreamName(p), Subjects: []string{PartitionFilter(p)}, Replicas: s.cfg.Replicas,
			MaxBytes: s.cfg.MaxBytes, MaxMessage: s.cfg.MaxMessage, Create: create, Gate: s.cfg.Gate, Alone: s.cfg.Alone, Log: s.cfg.Log, Wrap: s.cfg.Wrap})
		if err != nil {
			return err
		}
		s.mu.Lock()
		s.streams = append(s.streams, &Stream{Journal: j, set: s, partition: p})
		s.mu.Unlock()
	}
	return nil
}

// Streams is how many streams are open.
func (s *Set) Streams() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.streams)
}

// Stream is stream p; ErrNoStream when there is none, even after another look.
func (s *Set) Stream(ctx context.Context, p int) (*Stream, error) {
	if p < 0 {
		return nil, fmt.Errorf("%w: stream %d", ErrInvalid, p)
	}
	if p >= s.Streams() {
		if err := s.Refresh(ctx); err != nil {
			return nil, err
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if p >= len(s.streams) {
		return nil, fmt.Errorf("%w: %s: there are %d", ErrNoStream, StreamName(p), len(s.streams))
	}
	return s.streams[p], nil
}

// Shown is stream p, which is open, as services see it.
func (s *Set) Shown(p int) Log {
	one := s.All()[p]
	if s.cfg.Shown == nil {
		return one
	}
	return s.cfg.Shown(one)
}

// All are the streams that are open, in order.
func (s *Set) All() []*Stream {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]*Stream(nil), s.streams...)
}

func (s *Set) first() *Journal {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.streams[0].Journal
}

// count reads how many streams there are: the largest number that was ever
// recorded, since it only grows, and the sequence that a larger one must follow.
func (s *Set) count(ctx context.Context) (n int, last uint64, err error) {
	n = 1
	rec, ok, err := s.first().Last(ctx, streamsSubject)
	if err != nil || !ok {
		return n, 0, err
	}
	last = rec.Seq
	err = s.first().Read(ctx, streamsSubject, 1, last, func(rec Record) error {
		if recorded, ok := readStreams(rec); ok {
			n = max(n, recorded)
		} else {
			s.cfg.Log.WarnContext(ctx, "journal: an entry of the directory says nothing", "subject", rec.Subject, "sequence", rec.Seq)
		}
		return nil
	})
	return n, last, err
}

// Refresh looks how many streams there are now and opens those that are new. A
// number that was recorded without its streams counts as far as there are any.
func (s *Set) Refresh(ctx context.Context) error {
	s.growing.Lock()
	defer s.growing.Unlock()
	n, _, err := s.count(ctx)
	if err != nil {
		return err
	}
	err = s.open(ctx, n, false)
	if errors.Is(err, ErrNoStream) {
		s.cfg.Log.WarnContext(ctx, "journal: more streams are recorded than there are", "recorded", n, "open", s.Streams(), "error", err)
		return nil
	}
	return err
}

// Grow makes streams until there are n and records the number. It needs an
// administrator's credentials. Tables that have a place stay there; new ones are
// spread over all. Fewer than there are is no error and changes nothing.
func (s *Set) Grow(ctx context.Context, n int) error {
	if n < 1 || n > limits.Streams {
		return fmt.Errorf("%w: %d streams, must be 1 to %d", ErrInvalid, n, limits.Streams)
	}
	s.growing.Lock()
	defer s.growing.Unlock()
	for {
		now, last, err := s.count(ctx)
		if err != nil {
			return err
		}
		// The streams come before the number: whoever reads it finds them.
		if err := s.open(ctx, max(n, now), true); err != nil || n <= now {
			return err
		}
		m, err := entryMessage(streamsSubject, streamsEntry{Format: directoryFormat, Streams: n}, last)
		if err != nil {
			return err
		}
		_, err = s.first().Append(ctx, m)
		var lost *ConflictError
		if !errors.As(err, &lost) {
			return err
		}
	}
}

// Verify compares every stream with what it must be, as Journal.Verify does.
func (s *Set) Verify(ctx context.Context) error {
	var errs []error
	for _, one := range s.All() {
		errs = append(errs, one.Verify(ctx))
	}
	return errors.Join(errs...)
}

// Stream is one stream of a Set. As a Log it keeps the directory's promise: no
// record of a table is stored before the table's entry, and none in a stream
// that is not the table's (ErrMisplaced).
type Stream struct {
	*Journal
	set       *Set
	partition int
}

var _ Log = (*Stream)(nil)

// Partition is the stream's number.
func (s *Stream) Partition() int { return s.partition }

// Append is Log.Append.
func (s *Stream) Append(ctx context.Context, m Message) (uint64, error) {
	leave, err := s.enter(ctx, m)
	if err != nil {
		return 0, err
	}
	defer leave()
	return s.Journal.Append(ctx, m)
}

// AppendAtomic is Log.AppendAtomic.
func (s *Stream) AppendAtomic(ctx context.Context, ms []Message) ([]uint64, error) {
	for _, m := range ms {
		leave, err := s.enter(ctx, m)
		if err != nil {
			return nil, err
		}
		defer leave()
	}
	return s.Journal.AppendAtomic(ctx, ms)
}

// enter admits a message, and notes that an append to its table is under way until
// leave is called.
func (s *Stream) enter(ctx context.Context, m Message) (leave func(), err error) {
	if err := s.admit(ctx, m); err != nil {
		return nil, err
	}
	_, table, _ := tableOf(m.Subject)
	return s.set.shut.enter(table)
}

func (s *Stream) admit(ctx context.Context, m Message) error {
	stream, table, err := tableOf(m.Subject)
	if err != nil {
		return err
	}
	if stream != strconv.Itoa(s.partition) {
		return fmt.Errorf("%w: subject %q on stream %d", ErrInvalid, m.Subject, s.partition)
	}
	p, err := s.set.Place(ctx, table, true)
	if err == nil && p != s.partition {
		err = fmt.Errorf("%w: table %q is in stream %d, not %d", ErrMisplaced, table, p, s.partition)
	}
	return err
}
