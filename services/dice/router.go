package dice

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"google.golang.org/grpc"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/crew"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/ops"
	"github.com/skaldrpg/skald/pkg/shards"
	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
	"github.com/skaldrpg/skald/services/dice/internal/api"
)

// RouterConfig says over which streams the service works, and with whom.
type RouterConfig struct {
	// Streams of the journal.
	Streams *journal.Set
	// Config of each stream's service; Journal and Partition are filled in.
	Config
	// Crew is the processes of this service; nil when this one is alone. With one,
	// Alone must be off.
	Crew *crew.Crew
	// InternalLines lead to their listeners for services; nil when this process
	// is alone.
	InternalLines shards.Lines
	// Idle is that of shards.Config.
	Idle time.Duration
}

// Router is the dice service over all streams: it hands each draw to the service
// of its table's stream, here or in another process. What is rolled outside
// fights, computed and verified needs no stream.
type Router struct {
	*shards.Set[*Service]
	cfg  RouterConfig
	free *api.Server // for what needs no record

	mu     sync.Mutex
	wrong  map[int]error // of each stream's service
	health error
}

// NewRouter makes the service and looks for the master keys, whatever stream they
// are used in. A process without a crew opens the projections of all streams at
// once; errors are those of New.
func NewRouter(ctx context.Context, cfg RouterConfig) (*Router, error) {
	if cfg.Streams == nil || cfg.DataDir == "" {
		return nil, errors.New("dice: a journal and a data folder are needed")
	}
	if cfg.Alone && cfg.Crew != nil {
		return nil, errors.New("dice: a process with others is not alone on its streams")
	}
	filled, err := cfg.filled()
	if err != nil {
		return nil, err
	}
	cfg.Config = filled
	r := &Router{cfg: cfg, wrong: map[int]error{}}
	if r.free, err = unrecorded(cfg.Config); err != nil {
		return nil, err
	}
	used, err := sealedAnywhere(ctx, cfg.Streams)
	if err != nil {
		return nil, fmt.Errorf("dice: looking for sealed roots: %w", err)
	}
	if _, err := loadKeys(cfg.Config, used); err != nil {
		return nil, err
	}
	spread := shards.Config[*Service]{Streams: cfg.Streams, Crew: cfg.Crew, Idle: cfg.Idle, Logger: cfg.Logger}
	spread.Open = r.open
	if r.Set, err = shards.New(ctx, spread); err != nil {
		return nil, err
	}
	return r, nil
}

func (r *Router) open(ctx context.Context, p int, log journal.Log) (*Service, error) {
	one := r.cfg.Config
	one.Journal, one.Partition = log, p
	one.OnHealth = func(err error) { r.report(p, err) }
	s, err := New(ctx, one)
	if err == nil {
		r.report(p, nil)
	}
	return s, err
}

// report takes what is wrong with the service of a stream, and tells when the
// whole becomes or stops being well.
func (r *Router) report(p int, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.wrong[p] = err; err == nil {
		delete(r.wrong, p)
	}
	var now error
	for p := range r.cfg.Streams.Streams() {
		if err := r.wrong[p]; err != nil {
			now = errors.Join(now, fmt.Errorf("stream %d: %w", p, err))
		}
	}
	changed := (r.health == nil) != (now == nil)
	if r.health = now; changed && r.cfg.OnHealth != nil {
		r.cfg.OnHealth(now)
	}
}

// Err is what is wrong now with the service of any stream; nil when all are well.
func (r *Router) Err() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.health
}

var errFound = errors.New("found")

// sealedAnywhere tells whether any stream holds dice.
func sealedAnywhere(ctx context.Context, streams *journal.Set) (bool, error) {
	for p, log := range streams.All() {
		err := log.Read(ctx, aggregate.Dice.Filter(p), 1, 0, func(journal.Record) error { return errFound })
		if errors.Is(err, errFound) {
			return true, nil
		}
		if err != nil {
			return false, err
		}
	}
	return false, nil
}

// unrecorded answers what needs no record; the configuration is filled.
func unrecorded(cfg Config) (*api.Server, error) { return api.New(nil, nil, cfg.api()) }

// RegisterUnrecorded offers what is for callers on a server as [Router.Register]
// does, without a journal: all of it needs no record. Of the configuration only the
// bounds, Who and Clock count.
func RegisterUnrecorded(to grpc.ServiceRegistrar, cfg Config) error {
	cfg, err := cfg.filled()
	if err != nil {
		return err
	}
	free, err := unrecorded(cfg)
	if err != nil {
		return err
	}
	dicev1.RegisterDiceServiceServer(to, free)
	return nil
}

// Register offers what is for callers on a server.
func (r *Router) Register(to grpc.ServiceRegistrar) { dicev1.RegisterDiceServiceServer(to, r.free) }

// RegisterInternal offers what is for the other services alone: epochs, draws and
// seeds. Never on a server that callers reach.
func (r *Router) RegisterInternal(to grpc.ServiceRegistrar) {
	dicev1.RegisterTapeServiceServer(to, &front{routes: r.Routes(r.cfg.InternalLines), free: r.free})
}

// RebuildAll builds the projection of every stream again, as Rebuild does.
func RebuildAll(ctx context.Context, cfg RouterConfig, progress func(done, total uint64)) error {
	return shards.Rebuild(cfg.Streams, progress, func(p int, log journal.Log, progress func(done, total uint64)) error {
		one := cfg.Config
		one.Journal, one.Partition = log, p
		return Rebuild(ctx, one, progress)
	})
}

// front answers the calls of other services with the service of the table's stream.
type front struct {
	dicev1.UnimplementedTapeServiceServer
	routes *shards.Routes[*Service]
	free   *api.Server
}

// OpenEpoch opens an epoch of an encounter's dice.
func (f *front) OpenEpoch(ctx context.Context, req *dicev1.OpenEpochRequest) (*dicev1.OpenEpochResponse, error) {
	return shards.Unary(ctx, f.routes, req.Table, req, func(s *Service, ctx context.Context, req *dicev1.OpenEpochRequest) (*dicev1.OpenEpochResponse, error) {
		return s.api.OpenEpoch(ctx, req)
	})
}

// Draw draws faces; people's dice alone need no stream.
func (f *front) Draw(ctx context.Context, req *dicev1.DrawRequest) (*dicev1.DrawResponse, error) {
	if !req.GetTapeAllowed() {
		return f.free.Draw(ctx, req)
	}
	return shards.Unary(ctx, f.routes, req.Table, req, func(s *Service, ctx context.Context, req *dicev1.DrawRequest) (*dicev1.DrawResponse, error) {
		return s.api.Draw(ctx, req)
	})
}

// Reveal spends a branch and returns its seed.
func (f *front) Reveal(ctx context.Context, req *dicev1.RevealRequest) (*dicev1.RevealResponse, error) {
	return shards.Unary(ctx, f.routes, req.Table, req, func(s *Service, ctx context.Context, req *dicev1.RevealRequest) (*dicev1.RevealResponse, error) {
		return s.api.Reveal(ctx, req)
	})
}

// ListTapes lists the tapes that were opened.
func (f *front) ListTapes(ctx context.Context, req *dicev1.ListTapesRequest) (*dicev1.ListTapesResponse, error) {
	return shards.Unary(ctx, f.routes, req.Table, req, func(s *Service, ctx context.Context, req *dicev1.ListTapesRequest) (*dicev1.ListTapesResponse, error) {
		return s.api.ListTapes(ctx, req)
	})
}

// Parts is how the service stands, stream by stream.
func (r *Router) Parts() []ops.Part {
	return r.Set.Parts(func(s *Service) []ops.Part { return []ops.Part{s.Part(), s.Memory()} })
}
