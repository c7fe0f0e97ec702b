// Package innertest starts what the inner packages of the encounter service are
// tested against: an embedded NATS server, real projection files, the other services
// in process, which each test names (services know nothing of each other), and a
// rule system of a few lines.
//
// It is for tests only and must never be imported by anything that runs.
package innertest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/projection"
	"github.com/skaldrpg/skald/pkg/rpc"
	"github.com/skaldrpg/skald/pkg/rules"
	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
	"github.com/skaldrpg/skald/services/encounter/internal/engine"
	"github.com/skaldrpg/skald/services/encounter/internal/store"
)

// Quiet is a logger that says nothing.
var Quiet = slog.New(slog.NewTextHandler(io.Discard, nil))

// Who gives commands.
var (
	GM        = aggregate.Viewer(aggregate.ViewerGM)
	Ann       = aggregate.Viewer(aggregate.PlayerViewer("ann"))
	Bob       = aggregate.Viewer(aggregate.PlayerViewer("bob"))
	Spectator = aggregate.Viewer(aggregate.ViewerEveryone)
)

// World is what the encounter service works with.
type World struct {
	// T is the test.
	T testing.TB
	// Journal is the event store.
	Journal *journal.Journal
	// Rules are those of the one system that there is, Systems that system.
	Rules   *Tiny
	Systems *rules.Registry
	// Dice and Injury are the other services.
	Dice   dicev1.TapeServiceClient
	Injury injuryv1.AssessmentServiceClient

	mu sync.Mutex
	n  int
}

// Service is a service with what it owns.
type Service interface {
	Register(grpc.ServiceRegistrar)
	RegisterInternal(grpc.ServiceRegistrar)
	Run(context.Context) error
	Close() error
}

// Host serves a service in process until the test ends; err is why it could not be
// made.
func (w *World) Host(s Service, err error) *grpc.ClientConn {
	t := w.T
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	server := rpc.NewServer(rpc.Options{Logger: Quiet})
	s.Register(server)
	s.RegisterInternal(server)
	p := rpc.NewInProcess()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 2)
	go func() { ended <- s.Run(ctx) }()
	go func() { ended <- rpc.Serve(ctx, server, p.Listener()) }()
	conn, err := p.Dial()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		conn.Close() //nolint:errcheck // test
		cancel()
		for range 2 {
			if err := <-ended; err != nil && !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return conn
}

// New starts a world that ends with the test; others starts the other services and
// sets Dice and Injury.
func New(t testing.TB, others func(*World)) *World {
	t.Helper()
	e, err := journal.StartEmbedded(t.Context(), journal.EmbeddedConfig{StoreDir: t.TempDir()}, Quiet)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Stop(); err != nil {
			t.Error(err)
		}
	})
	nc, err := e.Connect(t.Name())
	if err != nil {
		t.Fatal(err)
	}
	j, err := journal.Open(t.Context(), nc, journal.Config{Stream: "SKALD_0", Subjects: []string{journal.PartitionFilter(0)}, Create: true, Log: Quiet})
	if err != nil {
		t.Fatal(err)
	}
	w := &World{T: t, Journal: j, Rules: &Tiny{}}
	if w.Systems, err = rules.NewRegistry(w.Rules); err != nil {
		t.Fatal(err)
	}
	others(w)
	return w
}

// Options say how a Stand works; the zero value as the service does.
type Options struct {
	// Dir holds the projection's file; empty means a new folder.
	Dir string
	// Log is what the engine appends to; nil means the world's journal.
	Log journal.Log
	// Memory bounds fights in memory, bytes; 0 as engine.Config says.
	Memory int64
	// FoldMemory bounds those of the fold, bytes; 0 as store.NewFold says.
	FoldMemory int64
	// Clock of the engine; nil means time.Now.
	Clock func() time.Time
	// Inline is the most that an amendment has in its Commit, bytes; 0 as engine.Config says.
	Inline int
}

// Stand is an engine over a projection, as one process has them.
type Stand struct {
	// Engine carries out commands.
	Engine *engine.Engine
	// Reader reads the projection.
	Reader store.Reader
	// Stop ends it, once; the end of the test does.
	Stop func()
	w    *World
}

// Projection is the configuration of a projection in a folder.
func (w *World) Projection(dir string, memory int64) projection.Config {
	return projection.Config{Path: filepath.Join(dir, "encounter.db"), Schema: store.Schema, Log: w.Journal,
		Filter: aggregate.Encounter.Filter(0), Fold: store.NewFold(memory), Logger: Quiet}
}

// Open makes a Stand. Engine.Run and the tail are the caller's to run.
func (w *World) Open(o Options) *Stand {
	w.T.Helper()
	if o.Dir == "" {
		o.Dir = w.T.TempDir()
	}
	if o.Log == nil {
		o.Log = w.Journal
	}
	p, err := projection.Open(w.T.Context(), w.Projection(o.Dir, o.FoldMemory))
	if err != nil {
		w.T.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ran := make(chan error, 1)
	go func() { ran <- p.Run(ctx) }()
	if err := p.WaitCaughtUp(w.T.Context()); err != nil {
		w.T.Fatal(err)
	}
	s := &Stand{Reader: store.Reader{P: p, Known: store.NewKnown(0)}, w: w}
	s.Engine = engine.New(engine.Config{Log: o.Log, Dice: w.Dice, Injury: w.Injury, Systems: w.Systems, Loader: s.Reader, Logger: Quiet, Memory: o.Memory, Clock: o.Clock, InlineBytes: o.Inline})
	s.Stop = sync.OnceFunc(func() {
		cancel()
		<-ran
		if err := p.Close(); err != nil {
			w.T.Error(err)
		}
	})
	w.T.Cleanup(s.Stop)
	return s
}

// Settle waits until the projection holds all that the log does of encounters: what
// comes last in the log may be the dice's.
func (s *Stand) Settle() {
	s.w.T.Helper()
	var last uint64
	err := s.w.Journal.Read(s.w.T.Context(), aggregate.Encounter.Filter(0), 1, 0, func(r journal.Record) error {
		last = r.Seq
		return nil
	})
	if err == nil {
		err = s.Reader.P.WaitFor(s.w.T.Context(), last)
	}
	if err != nil {
		s.w.T.Fatal(err)
	}
}

// Content is the hash of the projection's content once it is settled.
func (s *Stand) Content() []byte {
	s.w.T.Helper()
	s.Settle()
	sum, err := s.Reader.P.ContentHash()
	if err != nil {
		s.w.T.Fatal(err)
	}
	return sum
}

// Try carries out a command under a new request id.
func (s *Stand) Try(as *eventv1.Principal, id string, cmd *eventv1.Command) (*engine.Result, error) {
	s.w.mu.Lock()
	s.w.n++
	n := s.w.n
	s.w.mu.Unlock()
	return s.Engine.Execute(context.Background(), engine.Request{ID: fmt.Sprint("r", n), As: as, Encounter: id, Command: cmd})
}

// Do is Try for a command that must be carried out.
func (s *Stand) Do(as *eventv1.Principal, id string, cmd *eventv1.Command) *engine.Result {
	s.w.T.Helper()
	res, err := s.Try(as, id, cmd)
	if err != nil {
		s.w.T.Fatalf("%T: %v", cmd.What, err)
	}
	return res
}

// Begin begins an encounter between a (ann's) and b (bob's).
func (s *Stand) Begin(id string) {
	s.w.T.Helper()
	for _, cmd := range []*eventv1.Command{Create(), Add("a", "ann"), Add("b", "bob"), {What: &eventv1.Command_Start{Start: &eventv1.StartEncounter{}}}} {
		s.Do(GM, id, cmd)
	}
}

// Records are all that the log holds of an encounter.
func (w *World) Records(id string) (out []journal.Record) {
	w.T.Helper()
	if err := w.Journal.Read(w.T.Context(), "skald.0.main.encounter."+id, 1, 0, func(r journal.Record) error {
		r.Data = bytes.Clone(r.Data)
		out = append(out, r)
		return nil
	}); err != nil {
		w.T.Fatal(err)
	}
	return out
}

// Reason is the reason of a fault; empty for anything else.
func Reason(err error) string {
	if f, ok := fault.As(err); ok {
		return f.Reason
	}
	return ""
}
