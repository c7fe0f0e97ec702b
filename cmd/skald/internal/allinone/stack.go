package allinone

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"sync"
	"time"

	"google.golang.org/grpc"

	"github.com/skaldrpg/skald/cmd/skald/internal/erase"
	"github.com/skaldrpg/skald/pkg/archive"
	"github.com/skaldrpg/skald/pkg/auth"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/library/books"
	"github.com/skaldrpg/skald/pkg/ops"
	"github.com/skaldrpg/skald/pkg/ops/opsapi"
	"github.com/skaldrpg/skald/pkg/rpc"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/systems"
	"github.com/skaldrpg/skald/pkg/tombstone"
	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
	"github.com/skaldrpg/skald/services/dice"
	"github.com/skaldrpg/skald/services/encounter"
	"github.com/skaldrpg/skald/services/injury"
)

// Config says where the suite keeps things.
type Config struct {
	// DataDir holds the embedded journal, the projections and the master key.
	DataDir string
	// DiskReserve and DiskLow of the embedded journal, bytes; 0 means the usual:
	// see journal.EmbeddedConfig.
	DiskReserve, DiskLow int64
	// NATSURL of a server elsewhere; empty embeds one.
	NATSURL string
	// NATS holds the credentials for it.
	NATS journal.ConnectOptions
	// Replicas that the stream must have; 0 means 1.
	Replicas int
	// Create makes the streams on a server elsewhere when there are none.
	Create bool
	// FightMemory bounds what fights in memory take, bytes; 0 means
	// limits.FightMemoryBytes.
	FightMemory int64
	// InlineBytes is what the new history of an amendment may take in its Commit, bytes;
	// 0 means limits.InlineAmendmentBytes.
	InlineBytes int
	// Streams is how many streams the journal has at least, when this process may
	// make them; 0 means 1. They are never taken away.
	Streams int
	// Packs are packs that every table may use, as they are stored, beside those
	// of the build.
	Packs [][]byte
	// Archive is the folder for the copy of the log outside NATS, with a folder in
	// it for each stream; empty keeps none.
	Archive string
	// Feed offers the steps of spectators to programs without gRPC; nil offers none.
	Feed *Feed
	// Systems are the rule systems; nil means those of this build. Any others are for
	// tests and benchmarks.
	Systems *rules.Registry
	// Board takes the parts of the suite; nil means one of its own.
	Board *ops.Board
	// Metrics counts the calls in process; may be nil.
	Metrics *rpc.Metrics
	// Logger; nil means slog.Default.
	Logger *slog.Logger
	// Reading is told each ReadEvery how far a service has read the log, while the start
	// waits for it; nil logs it. ReadEvery of 0 means 2 seconds.
	Reading   func(service string, read, of uint64)
	ReadEvery time.Duration
	// Clock; nil means time.Now.
	Clock func() time.Time
	// Random is where the roots of the dice and the salts of Commits come from;
	// nil means crypto/rand. Anything else is for tests that repeat a fight.
	Random io.Reader
	// Hooks are for tests that stop the suite between two of its parts.
	Hooks Hooks
}

func (c Config) systems() *rules.Registry {
	if c.Systems != nil {
		return c.Systems
	}
	return systems.Registry()
}

func (c Config) projections() string { return filepath.Join(c.DataDir, "projections") }

// Stack is the running suite.
type Stack struct {
	cfg       Config
	store     *store
	dice      *dice.Router
	encounter *encounter.Router
	injury    *injury.Router
	archive   *archive.Fleet
	feed      feeding
	erase     *erase.Eraser
	callers   channel // what callers may use
	peers     channel // what the services do for each other, and nobody else

	watch     *opsapi.Journals
	stopLoops context.CancelFunc
	loops     sync.WaitGroup
	failed    chan error
	closing   sync.Once
	closeErr  error
}

// Start starts everything and returns when the projections have caught up with
// the log. The context bounds the start alone; Close ends the suite.
func Start(ctx context.Context, cfg Config) (*Stack, error) {
	if cfg.DataDir == "" {
		return nil, errors.New("allinone: a data folder is needed")
	}
	if cfg.Logger == nil {
		cfg.Logger = slog.Default()
	}
	if cfg.Board == nil {
		cfg.Board = &ops.Board{}
	}
	s := &Stack{cfg: cfg, failed: make(chan error, 3)}
	if err := s.start(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("allinone: %w", err), s.Close())
	}
	return s, nil
}

func (s *Stack) start(ctx context.Context) error {
	var err error
	if s.store, err = openStore(ctx, s.cfg); err != nil {
		return err
	}
	if err := errors.Join(s.callers.open(), s.peers.join()); err != nil {
		return err
	}
	if err := s.feed.open(ctx, s.cfg); err != nil {
		return err
	}
	if err := s.services(ctx); err != nil {
		return err
	}
	s.board()
	s.erase = s.eraser()
	open := &auth.Guard{} // who is in this process may be anyone
	s.serve(&s.callers, s.Register, rpc.Options{Unary: []grpc.UnaryServerInterceptor{open.Unary}, Stream: []grpc.StreamServerInterceptor{open.Stream}})
	s.serve(&s.peers, s.registerInternal, rpc.Options{Unary: s.cfg.Hooks.among()})
	s.run()
	defer s.reading(ctx)()
	for _, ready := range []func(context.Context) error{s.dice.Ready, s.injury.Ready, s.encounter.Ready} {
		if err := s.wait(ctx, ready); err != nil {
			return err
		}
	}
	if err := s.erase.Resume(ctx); err != nil { // what is left counts for nothing: the next start tries again
		s.cfg.Logger.ErrorContext(ctx, "the deletion of a table could not be brought to its end", "error", err)
	}
	return nil
}

// services makes the three over the journal and the connection among them.
func (s *Stack) services(ctx context.Context) error {
	var err error
	if s.dice, err = dice.NewRouter(ctx, s.diceConfig()); err != nil {
		return err
	}
	if s.injury, err = injury.NewRouter(ctx, s.injuryConfig()); err != nil {
		return err
	}
	s.encounter, err = encounter.NewRouter(ctx, s.encounterConfig(s.cfg.projections()))
	return err
}

func (s *Stack) diceConfig() dice.RouterConfig {
	return dice.RouterConfig{Streams: s.store.streams, Config: dice.Config{DataDir: s.cfg.projections(), MasterKeyFile: filepath.Join(s.cfg.DataDir, "dice.key"),
		CreateMasterKey: true, Believe: s.believe(), Who: auth.Who, Alone: s.cfg.NATSURL == "", Logger: s.cfg.Logger, Clock: s.cfg.Clock, Random: s.cfg.Random}}
}

func (s *Stack) injuryConfig() injury.RouterConfig {
	return injury.RouterConfig{Streams: s.store.streams, Config: injury.Config{Dice: dicev1.NewTapeServiceClient(s.peers.conn), Systems: s.cfg.systems(), InlineBytes: s.cfg.InlineBytes,
		DataDir: s.cfg.projections(), Believe: s.believe(), Logger: s.cfg.Logger, Clock: s.cfg.Clock}}
}

// believe reads the tombstones that the suite's keys signed.
func (s *Stack) believe() *tombstone.Reader {
	return tombstone.ByFile(filepath.Join(s.cfg.DataDir, encounter.KeysFile))
}

func (s *Stack) encounterConfig(dir string) encounter.RouterConfig {
	return encounter.RouterConfig{Streams: s.store.streams, PersonsDir: filepath.Join(s.cfg.DataDir, "persons"), Config: encounter.Config{Dice: dicev1.NewTapeServiceClient(s.peers.conn), Injury: injuryv1.NewAssessmentServiceClient(s.peers.conn),
		Systems: s.cfg.systems(), DataDir: dir, KeysFile: filepath.Join(s.cfg.DataDir, encounter.KeysFile), Packs: books.Offer(s.cfg.Packs...), FightMemory: s.cfg.FightMemory, InlineBytes: s.cfg.InlineBytes, Feed: s.feed.writer, FeedTables: s.feed.tables,
		Logger: s.cfg.Logger, Clock: s.cfg.Clock, Random: s.cfg.Random}}
}

// channel is a server of this process and the connection to it.
type channel struct {
	pipe *rpc.InProcess
	conn connection
	stop context.CancelFunc
	done chan struct{}
}

// connection is one that its channel closes.
type connection interface {
	grpc.ClientConnInterface
	Close() error
}

// open connects callers: what they send and get is theirs, and so is encoded.
func (c *channel) open() error {
	c.pipe = rpc.NewInProcess()
	conn, err := c.pipe.Dial()
	if err == nil {
		c.conn = conn
	}
	return err
}

// join connects the services with each other: they share one process and hand
// messages over.
func (c *channel) join() error {
	c.pipe = rpc.NewInProcess()
	conn, err := c.pipe.Direct(nil)
	if err == nil {
		c.conn = conn
	}
	return err
}

// end stops the server, after the calls in flight; close lets go of the rest.
func (c *channel) end() {
	if c.stop != nil {
		c.stop()
		<-c.done
	}
}

func (c *channel) close() error {
	if c.conn == nil {
		return nil
	}
	return c.conn.Close()
}

// serve answers in process.
func (s *Stack) serve(c *channel, register func(grpc.ServiceRegistrar), o rpc.Options) {
	o.Logger, o.Metrics = s.cfg.Logger, s.cfg.Metrics
	server := rpc.NewServer(o)
	register(server)
	ctx, cancel := context.WithCancel(context.Background())
	c.stop, c.done = cancel, make(chan struct{})
	go func() { // ends with stop
		defer close(c.done)
		if err := rpc.Serve(ctx, server, c.pipe.Listener()); err != nil {
			s.fail("in-process server", err)
		}
	}()
}

// run keeps the services' loops going.
func (s *Stack) run() {
	ctx, cancel := context.WithCancel(context.Background())
	s.stopLoops = cancel
	loop := func(name string, fn func(context.Context) error) {
		s.loops.Go(func() { // ends with stopLoops
			if err := fn(ctx); err != nil && ctx.Err() == nil {
				s.fail(name, err)
			}
		})
	}
	loop("dice service", s.dice.Run)
	loop("injury service", s.injury.Run)
	loop("encounter service", s.encounter.Run)
	loop("watch over the journal", s.watch.Run)
	loop("archive", s.archive.Run)
}

func (s *Stack) fail(what string, err error) {
	select {
	case s.failed <- fmt.Errorf("allinone: %s: %w", what, err):
	default:
	}
}

// wait waits until a service is ready, or any has failed.
func (s *Stack) wait(ctx context.Context, ready func(context.Context) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	done := make(chan error, 1)
	go func() { done <- ready(ctx) }() // ends with ctx at the latest
	select {
	case err := <-done:
		return err
	case err := <-s.failed:
		return err
	}
}

// Register offers what is for callers, of every service, on a server. What the
// services do for each other is on no server but their own.
func (s *Stack) Register(r grpc.ServiceRegistrar) {
	s.dice.Register(r)
	s.injury.Register(r)
	s.encounter.Register(r)
	opsapi.Register(r, s.cfg.Board)
	erase.Register(r, s.erase)
}

// Board is how the parts of the suite stand.
func (s *Stack) Board() *ops.Board { return s.cfg.Board }

// board puts the parts on the board.
func (s *Stack) board() {
	s.watch = opsapi.NewJournals(s.store.streams)
	s.archive = archive.NewFleet(s.cfg.Archive, s.store.streams, s.cfg.Board, s.cfg.Logger)
	b := s.cfg.Board
	b.AddAll(s.watch.Parts)
	if s.store.embedded != nil {
		b.Add(s.store.embedded.SoundPart)
		b.Add(s.store.embedded.Part)
	}
	b.AddAll(s.dice.Parts)
	b.AddAll(s.injury.Parts)
	b.AddAll(s.encounter.Parts)
}

func (s *Stack) registerInternal(r grpc.ServiceRegistrar) {
	s.dice.RegisterInternal(r)
	s.injury.RegisterInternal(r)
}

// Conn is the in-process connection to all services, for callers; Close ends it.
func (s *Stack) Conn() grpc.ClientConnInterface { return s.callers.conn }

// Among is the connection that the services use among themselves: for tests and
// benchmarks of what they do. No caller of a server reaches it.
func (s *Stack) Among() grpc.ClientConnInterface { return s.peers.conn }

// Failed tells of the first service that stopped by itself.
func (s *Stack) Failed() <-chan error { return s.failed }

// StopWatches ends every watch with a status that tells clients to watch again.
func (s *Stack) StopWatches() { s.encounter.StopWatches() }

// Close ends everything; further calls return what the first did.
func (s *Stack) Close() error {
	s.closing.Do(func() { s.closeErr = s.close() })
	return s.closeErr
}

func (s *Stack) close() error {
	var errs []error
	add := func(err error) {
		if err != nil {
			errs = append(errs, err)
		}
	}
	if s.encounter != nil {
		s.encounter.StopWatches()
	}
	s.callers.end()
	s.peers.end()
	if s.stopLoops != nil {
		s.stopLoops()
		s.loops.Wait()
		add(s.archive.Close())
	}
	if s.encounter != nil {
		add(s.encounter.Close())
	}
	if s.injury != nil {
		add(s.injury.Close())
	}
	if s.dice != nil {
		add(s.dice.Close())
	}
	add(s.feed.close())
	add(s.callers.close())
	add(s.peers.close())
	if s.store != nil {
		add(s.store.close())
	}
	return errors.Join(errs...)
}
