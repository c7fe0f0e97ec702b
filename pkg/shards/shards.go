package shards

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"sync"
	"time"

	"github.com/skaldrpg/skald/pkg/crew"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/ops"
	"github.com/skaldrpg/skald/pkg/projection"
)

// File is the name of a service's projection of a stream: that of stream 0 has
// no number, as it had when there was only one.
func File(service string, partition int) string {
	if partition == 0 {
		return service + ".db"
	}
	return service + "-" + strconv.Itoa(partition) + ".db"
}

// Shard is a service over one stream.
type Shard interface {
	// Run keeps it going until the context ends, which is no error.
	Run(ctx context.Context) error
	// Ready waits until it has read the log to its end once.
	Ready(ctx context.Context) error
	// Status is how its projection stands.
	Status() projection.Status
	// ContentHash is the hash of its projection's content.
	ContentHash() ([]byte, error)
	// Close lets go of its files, after Run has returned.
	Close() error
}

// Times.
const (
	// DefaultIdle is how long a shard that is not this process's work stays open
	// after the last call, when nothing is said.
	DefaultIdle = 5 * time.Minute
	// catchUp bounds how long a call waits for a shard that was opened for it.
	catchUp = 30 * time.Second
	// lookEvery is how often the number of streams is read again.
	lookEvery = 30 * time.Second
	// tick is how often shards are compared with what should be open.
	tick = time.Second
)

// Config says what is spread over what.
type Config[S Shard] struct {
	// Streams of the journal.
	Streams *journal.Set
	// Open makes the shard of a stream. It must start nothing.
	Open func(ctx context.Context, partition int, log journal.Log) (S, error)
	// Crew is the processes among which the streams are divided; nil when this
	// process folds every stream.
	Crew *crew.Crew
	// Idle is how long a shard that is not this process's work stays open after
	// the last call; 0 means 5 minutes.
	Idle time.Duration
	// Logger; nil means slog.Default.
	Logger *slog.Logger
}

// Set is the shards of a service in this process. It is safe for concurrent use.
type Set[S Shard] struct {
	cfg Config[S]

	mu      sync.Mutex
	shards  map[int]*entry[S]
	run     context.Context // of Run; nil before
	loops   sync.WaitGroup
	failed  chan error
	settled chan struct{} // closed when Run has opened its work for the first time
	closed  bool
}

// entry is a shard that is open, or being opened or closed.
type entry[S Shard] struct {
	partition int
	opened    chan struct{} // closed when shard and err are set
	shard     S
	err       error
	demanded  bool // opened for a call, and not as this process's work

	users int // calls under way; under Set.mu like what follows
	used  time.Time
	stop  context.CancelFunc // ends the loop; nil when it does not run
	done  chan struct{}      // closed when the loop has ended
}

// New makes the set. A process that folds every stream opens them now; errors
// are those of Open.
func New[S Shard](ctx context.Context, cfg Config[S]) (*Set[S], error) {
	if cfg.Idle == 0 {
		cfg.Idle = DefaultIdle
	}
	if cfg.Logger == nil {
		cfg.Logger = slog.Default()
	}
	s := &Set[S]{cfg: cfg, shards: map[int]*entry[S]{}, failed: make(chan error, 1), settled: make(chan struct{})}
	if cfg.Crew != nil {
		return s, nil
	}
	for p := range cfg.Streams.Streams() {
		e, err := s.take(ctx, p, false)
		if err != nil {
			return nil, errors.Join(err, s.Close())
		}
		s.release(e)
	}
	return s, nil
}

// take finds the shard of a stream, or opens it; the caller releases it.
func (s *Set[S]) take(ctx context.Context, p int, demanded bool) (*entry[S], error) {
	for {
		s.mu.Lock()
		if s.closed {
			s.mu.Unlock()
			return nil, stopping()
		}
		e := s.shards[p]
		opens := e == nil
		if opens {
			e = &entry[S]{partition: p, opened: make(chan struct{}), demanded: demanded}
			s.shards[p] = e
		}
		e.users++
		s.mu.Unlock()
		if opens {
			s.open(ctx, e)
		}
		select {
		case <-e.opened:
		case <-ctx.Done():
			s.release(e)
			return nil, ctx.Err()
		}
		if e.err == nil {
			return e, nil
		}
		s.release(e)
		if opens || ctx.Err() != nil || !errors.Is(e.err, context.Canceled) {
			return nil, e.err
		} // else the call that opened it gave up, and this one tries itself
	}
}

// open makes the shard and begins its loop when Run runs.
func (s *Set[S]) open(ctx context.Context, e *entry[S]) {
	_, err := s.cfg.Streams.Stream(ctx, e.partition)
	if err == nil {
		e.shard, err = s.cfg.Open(ctx, e.partition, s.cfg.Streams.Shown(e.partition))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	defer close(e.opened)
	if e.err = err; err != nil {
		delete(s.shards, e.partition)
		return
	}
	e.used = time.Now()
	s.begin(e)
}

// begin starts the loop of a shard, if Run runs; mu is held.
func (s *Set[S]) begin(e *entry[S]) {
	if s.run == nil || e.stop != nil {
		return
	}
	ctx, stop := context.WithCancel(s.run)
	e.stop, e.done = stop, make(chan struct{})
	s.loops.Go(func() { // ends with stop, or with Run
		defer close(e.done)
		if err := e.shard.Run(ctx); err != nil && ctx.Err() == nil {
			select {
			case s.failed <- fmt.Errorf("shards: stream %d: %w", e.partition, err):
			default:
			}
		}
	})
}

func (s *Set[S]) release(e *entry[S]) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e.users--
	e.used = time.Now()
}

// Run keeps the shards going that are this process's work, and closes those that
// are not when they have been idle, until the context ends or a shard fails.
func (s *Set[S]) Run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer func() {
		cancel()
		s.loops.Wait()
	}()
	s.mu.Lock()
	s.run = ctx
	for _, e := range s.shards { // order-free: each loop is begun by itself
		select {
		case <-e.opened:
			s.begin(e)
		default: // whoever opens it begins it
		}
	}
	s.mu.Unlock()
	return s.tend(ctx)
}

// tend compares what is open with what should be, again and again.
func (s *Set[S]) tend(ctx context.Context) error {
	ticker := time.NewTicker(tick)
	defer ticker.Stop()
	if err := s.cfg.Crew.Settle(ctx); err != nil {
		return nil //nolint:nilerr // the context has ended
	}
	looked := time.Now()
	for first := true; ; first = false {
		s.assign(ctx)
		if first {
			close(s.settled)
		}
		select {
		case err := <-s.failed:
			return err
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		case <-s.cfg.Crew.Changed():
		}
		if time.Since(looked) > lookEvery {
			if err := s.cfg.Streams.Refresh(ctx); err != nil && ctx.Err() == nil {
				s.cfg.Logger.WarnContext(ctx, "looking for streams", "error", err)
			}
			looked = time.Now()
		}
	}
}

// assign opens what is this process's work and closes what is idle.
func (s *Set[S]) assign(ctx context.Context) {
	for p := range s.cfg.Streams.Streams() {
		if !s.cfg.Crew.Owns(p) {
			continue
		}
		s.mu.Lock()
		open := s.shards[p] != nil
		s.mu.Unlock()
		if open {
			continue
		}
		e, err := s.take(ctx, p, false)
		if err != nil {
			if ctx.Err() == nil {
				s.cfg.Logger.ErrorContext(ctx, "a stream cannot be folded", "stream", p, "error", err)
			}
			continue
		}
		s.release(e)
	}
	for _, e := range s.idle() {
		if err := s.end(e); err != nil {
			s.cfg.Logger.WarnContext(ctx, "closing an idle shard", "stream", e.partition, "error", err)
		}
	}
	s.cfg.Crew.Folding(s.Folded())
}

// idle takes out the shards that nobody uses and that are not this process's work.
func (s *Set[S]) idle() []*entry[S] {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []*entry[S]
	for p, e := range s.shards { // order-free: each is closed by itself
		select {
		case <-e.opened:
		default:
			continue
		}
		if e.users == 0 && time.Since(e.used) > s.cfg.Idle && !s.cfg.Crew.Owns(p) {
			out = append(out, e)
			closing := &entry[S]{partition: p, opened: make(chan struct{}), err: fmt.Errorf("shards: closing: %w", context.Canceled)}
			s.shards[p] = closing // a call that comes now waits, and then opens it anew
		}
	}
	return out
}

// end stops and closes a shard that idle took out.
func (s *Set[S]) end(e *entry[S]) error {
	s.mu.Lock()
	stop, done := e.stop, e.done
	s.mu.Unlock()
	if stop != nil {
		stop()
		<-done
	}
	err := e.shard.Close()
	s.mu.Lock()
	defer s.mu.Unlock()
	if closing := s.shards[e.partition]; closing != nil {
		delete(s.shards, e.partition)
		close(closing.opened)
	}
	return err
}

// Folded are the numbers of the streams that this process folds now, in order.
func (s *Set[S]) Folded() []int {
	var out []int
	s.each(func(e *entry[S]) { out = append(out, e.partition) })
	return out
}

// each calls fn for every open shard, in order of streams.
func (s *Set[S]) each(fn func(*entry[S])) {
	s.mu.Lock()
	var open []*entry[S]
	for p := range s.cfg.Streams.Streams() {
		e := s.shards[p]
		if e == nil {
			continue
		}
		select {
		case <-e.opened:
			if e.err == nil {
				open = append(open, e)
			}
		default:
		}
	}
	s.mu.Unlock()
	for _, e := range open {
		fn(e)
	}
}

// Each calls fn for every shard that is open, in order of streams.
func (s *Set[S]) Each(fn func(partition int, shard S)) {
	s.each(func(e *entry[S]) { fn(e.partition, e.shard) })
}

// WaitFor waits until the shard of a stream that is open here has folded a sequence;
// it does not wait for one that is not.
func (s *Set[S]) WaitFor(ctx context.Context, partition int, seq uint64) error {
	var wait func(context.Context, uint64) error
	s.Each(func(p int, shard S) {
		if w, ok := any(shard).(interface {
			WaitFor(ctx context.Context, seq uint64) error
		}); ok && p == partition {
			wait = w.WaitFor
		}
	})
	if wait == nil {
		return nil
	}
	return wait(ctx, seq)
}

// Ready waits until every shard that is this process's work has read its stream
// to the end once. Run must run.
func (s *Set[S]) Ready(ctx context.Context) error {
	if s.cfg.Crew != nil {
		select {
		case <-s.settled:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	var open []*entry[S]
	s.each(func(e *entry[S]) { open = append(open, e) })
	for _, e := range open {
		if err := e.shard.Ready(ctx); err != nil {
			return err
		}
	}
	return nil
}

// Status is how the projections stand together: records applied in all, caught
// up when all are, and the first that was moved aside or has ended.
func (s *Set[S]) Status() projection.Status {
	out := projection.Status{CaughtUp: true}
	s.each(func(e *entry[S]) {
		one := e.shard.Status()
		out.Applied += one.Applied
		out.CaughtUp = out.CaughtUp && one.CaughtUp
		if out.MovedAside == "" {
			out.MovedAside, out.Why = one.MovedAside, one.Why
		}
		if out.Err == nil {
			out.Err = one.Err
		}
	})
	return out
}

// ContentHash is the hash of what all projections hold; with one stream that of
// its projection.
func (s *Set[S]) ContentHash() ([]byte, error) {
	var sums [][]byte
	var errs []error
	h := sha256.New()
	s.Each(func(p int, shard S) {
		sum, err := shard.ContentHash()
		sums, errs = append(sums, sum), append(errs, err)
		fmt.Fprintf(h, "%d %x\n", p, sum) //nolint:errcheck // a hash takes everything
	})
	if err := errors.Join(errs...); err != nil || len(sums) == 1 {
		return first(sums), err
	}
	return h.Sum(nil), nil
}

func first(sums [][]byte) []byte {
	if len(sums) == 0 {
		return nil
	}
	return sums[0]
}

// Close closes every shard. Run must have returned, and no call may be under way.
func (s *Set[S]) Close() error {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	var errs []error
	s.each(func(e *entry[S]) { errs = append(errs, e.shard.Close()) })
	s.mu.Lock()
	s.shards = map[int]*entry[S]{}
	s.mu.Unlock()
	return errors.Join(errs...)
}

func stopping() error {
	return fault.New(fault.Unavailable, "STOPPING", "the server stops; ask again")
}

// Rebuild builds something of every stream again, one after the other; progress,
// which may be nil, is told of all together as far as they are known.
func Rebuild(streams *journal.Set, progress func(done, total uint64), one func(p int, log journal.Log, progress func(done, total uint64)) error) error {
	var before uint64
	for p, log := range streams.All() {
		var total uint64
		err := one(p, log, func(done, all uint64) {
			total = all
			if progress != nil {
				progress(before+done, before+all)
			}
		})
		if err != nil {
			return err
		}
		before += total
	}
	return nil
}

// Parts asks every open shard how it stands; the parts of streams after the first
// have the stream's number at the end of their name.
func (s *Set[S]) Parts(of func(S) []ops.Part) []ops.Part {
	var out []ops.Part
	s.Each(func(p int, shard S) {
		for _, part := range of(shard) {
			if p > 0 {
				part.Name += "-" + strconv.Itoa(p)
			}
			out = append(out, part)
		}
	})
	return out
}
