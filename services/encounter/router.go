package encounter

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"google.golang.org/grpc"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/attest"
	"github.com/skaldrpg/skald/pkg/crew"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/limits"
	"github.com/skaldrpg/skald/pkg/ops"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/shards"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	rulesv1 "github.com/skaldrpg/skald/proto/skald/rules/v1"
	"github.com/skaldrpg/skald/services/encounter/internal/api"
)

// RouterConfig says over which streams the service works, and with whom.
type RouterConfig struct {
	// Streams of the journal.
	Streams *journal.Set
	// Config of each stream's service; Journal and Partition are filled in.
	Config
	// Crew is the processes of this service; nil when this one is alone.
	Crew *crew.Crew
	// Lines lead to them; nil when this process is alone.
	Lines shards.Lines
	// Idle is that of shards.Config.
	Idle time.Duration
	// PersonsDir keeps the names of persons; empty means persons in DataDir, and none
	// where there is a crew: its processes need a folder that they share.
	PersonsDir string
}

// Router is the encounter service over all streams: it hands each call to the
// service of its table's stream, here or in another process.
type Router struct {
	*shards.Set[*Service]
	cfg RouterConfig
}

// NewRouter makes the service. A process without a crew opens the projections of
// all streams at once; errors are those of New.
func NewRouter(ctx context.Context, cfg RouterConfig) (*Router, error) {
	var in []inStream
	for p := range cfg.Streams.Streams() {
		in = append(in, inStream{cfg.Streams.Shown(p), p})
	}
	if err := cfg.openKeys(ctx, in); err != nil {
		return nil, fmt.Errorf("encounter: %w", err)
	}
	spread := shards.Config[*Service]{Streams: cfg.Streams, Crew: cfg.Crew, Idle: cfg.Idle, Logger: cfg.Logger}
	spread.Open = func(ctx context.Context, p int, log journal.Log) (*Service, error) {
		one := cfg.Config
		one.Journal, one.Partition = log, p
		one.FightMemory = cmp.Or(one.FightMemory, limits.FightMemoryBytes) / int64(max(1, cfg.Streams.Streams()))
		return New(ctx, one)
	}
	set, err := shards.New(ctx, spread)
	if err != nil {
		return nil, err
	}
	return &Router{Set: set, cfg: cfg}, nil
}

// Register registers the encounter, the record, the content and the rules service.
func (r *Router) Register(to grpc.ServiceRegistrar) {
	encounterv1.RegisterEncounterServiceServer(to, &front{routes: r.Routes(r.cfg.Lines)})
	encounterv1.RegisterRecordServiceServer(to, &recordFront{routes: r.Routes(r.cfg.Lines), keys: r.cfg.Keys})
	encounterv1.RegisterContentServiceServer(to, &contentFront{routes: r.Routes(r.cfg.Lines)})
	encounterv1.RegisterWhatIfServiceServer(to, &whatIfFront{routes: r.Routes(r.cfg.Lines)})
	encounterv1.RegisterPersonServiceServer(to, &personFront{routes: r.Routes(r.cfg.Lines), folder: r.cfg.personsOf()})
	RegisterRules(to, r.cfg.Systems)
}

// RegisterRules registers the rules service alone: it needs neither a journal nor
// anything else.
func RegisterRules(to grpc.ServiceRegistrar, systems *rules.Registry) {
	rulesv1.RegisterRulesServiceServer(to, &api.Rules{Systems: systems})
}

// StopWatches ends every watch with a status that tells clients to watch again.
func (r *Router) StopWatches() { r.Each(func(_ int, s *Service) { s.StopWatches() }) }

// Keys sign heads and checkpoints.
func (r *Router) Keys() *attest.Keys { return r.cfg.Keys }

// Parts is how the service stands, stream by stream.
func (r *Router) Parts() []ops.Part {
	return r.Set.Parts(func(s *Service) []ops.Part { return append([]ops.Part{s.Part(), s.Memory()}, s.Feed()...) })
}

// Close closes the projections. Run must have returned.
func (r *Router) Close() error {
	r.StopWatches()
	return r.Set.Close()
}

// RebuildAll builds the projection of every stream again, as Rebuild does.
func RebuildAll(ctx context.Context, cfg RouterConfig, progress func(done, total uint64)) error {
	return shards.Rebuild(cfg.Streams, progress, func(p int, log journal.Log, progress func(done, total uint64)) error {
		one := cfg.Config
		one.Journal, one.Partition = log, p
		return Rebuild(ctx, one, progress)
	})
}

// front answers the calls with the service of the table's stream.
type front struct {
	encounterv1.UnimplementedEncounterServiceServer
	routes *shards.Routes[*Service]
}

// Execute carries out one command.
func (f *front) Execute(ctx context.Context, req *encounterv1.ExecuteRequest) (*encounterv1.ExecuteResponse, error) {
	table := aggregate.TableOr(req.Table)
	if c := req.GetCommand().GetCreate(); table == aggregate.DefaultTable && c.GetTable() != "" { // as the engine reads it
		table = c.Table
	}
	return shards.Unary(ctx, f.routes, table, req, func(s *Service, ctx context.Context, req *encounterv1.ExecuteRequest) (*encounterv1.ExecuteResponse, error) {
		return s.api.Execute(ctx, req)
	})
}

// GetProgress says how far a ruling is that is being made.
func (f *front) GetProgress(ctx context.Context, req *encounterv1.GetProgressRequest) (*encounterv1.GetProgressResponse, error) {
	return shards.Unary(ctx, f.routes, aggregate.TableOr(req.Table), req, func(s *Service, ctx context.Context, req *encounterv1.GetProgressRequest) (*encounterv1.GetProgressResponse, error) {
		return s.api.GetProgress(ctx, req)
	})
}

// GetState returns what the caller may know.
func (f *front) GetState(ctx context.Context, req *encounterv1.GetStateRequest) (*encounterv1.GetStateResponse, error) {
	return shards.Unary(ctx, f.routes, aggregate.TableOr(req.Table), req, func(s *Service, ctx context.Context, req *encounterv1.GetStateRequest) (*encounterv1.GetStateResponse, error) {
		return s.api.GetState(ctx, req)
	})
}

// GetOptions lists what a creature may do.
func (f *front) GetOptions(ctx context.Context, req *encounterv1.GetOptionsRequest) (*encounterv1.GetOptionsResponse, error) {
	return shards.Unary(ctx, f.routes, aggregate.TableOr(req.Table), req, func(s *Service, ctx context.Context, req *encounterv1.GetOptionsRequest) (*encounterv1.GetOptionsResponse, error) {
		return s.api.GetOptions(ctx, req)
	})
}

// GetNext says what the encounter waits for.
func (f *front) GetNext(ctx context.Context, req *encounterv1.GetNextRequest) (*encounterv1.GetNextResponse, error) {
	return shards.Unary(ctx, f.routes, aggregate.TableOr(req.Table), req, func(s *Service, ctx context.Context, req *encounterv1.GetNextRequest) (*encounterv1.GetNextResponse, error) {
		return s.api.GetNext(ctx, req)
	})
}

// GetHistory returns steps in the caller's numbers.
func (f *front) GetHistory(ctx context.Context, req *encounterv1.GetHistoryRequest) (*encounterv1.GetHistoryResponse, error) {
	return shards.Unary(ctx, f.routes, aggregate.TableOr(req.Table), req, func(s *Service, ctx context.Context, req *encounterv1.GetHistoryRequest) (*encounterv1.GetHistoryResponse, error) {
		return s.api.GetHistory(ctx, req)
	})
}

// Explain puts a step into words.
func (f *front) Explain(ctx context.Context, req *encounterv1.ExplainRequest) (*encounterv1.ExplainResponse, error) {
	return shards.Unary(ctx, f.routes, aggregate.TableOr(req.Table), req, func(s *Service, ctx context.Context, req *encounterv1.ExplainRequest) (*encounterv1.ExplainResponse, error) {
		return s.api.Explain(ctx, req)
	})
}

// ListEncounters lists the encounters of a table.
func (f *front) ListEncounters(ctx context.Context, req *encounterv1.ListEncountersRequest) (*encounterv1.ListEncountersResponse, error) {
	return shards.Unary(ctx, f.routes, aggregate.TableOr(req.Table), req, func(s *Service, ctx context.Context, req *encounterv1.ListEncountersRequest) (*encounterv1.ListEncountersResponse, error) {
		return s.api.ListEncounters(ctx, req)
	})
}

// PreviewRuling says what a ruling would change.
func (f *front) PreviewRuling(ctx context.Context, req *encounterv1.PreviewRulingRequest) (*encounterv1.PreviewRulingResponse, error) {
	return shards.Unary(ctx, f.routes, aggregate.TableOr(req.Table), req, func(s *Service, ctx context.Context, req *encounterv1.PreviewRulingRequest) (*encounterv1.PreviewRulingResponse, error) {
		return s.api.PreviewRuling(ctx, req)
	})
}

// GetDifference lists where two places of the record differ.
func (f *front) GetDifference(ctx context.Context, req *encounterv1.GetDifferenceRequest) (*encounterv1.GetDifferenceResponse, error) {
	return shards.Unary(ctx, f.routes, aggregate.TableOr(req.Table), req, func(s *Service, ctx context.Context, req *encounterv1.GetDifferenceRequest) (*encounterv1.GetDifferenceResponse, error) {
		return s.api.GetDifference(ctx, req)
	})
}

// Watch sends steps after a cursor.
func (f *front) Watch(req *encounterv1.WatchRequest, stream encounterv1.EncounterService_WatchServer) error {
	return shards.Stream(f.routes, aggregate.TableOr(req.Table), req, stream, func(s *Service, req *encounterv1.WatchRequest, stream grpc.ServerStreamingServer[encounterv1.WatchResponse]) error {
		return s.api.Watch(req, stream)
	})
}

// Import takes an export of another server.
func (f *front) Import(ctx context.Context, req *encounterv1.ImportRequest) (*encounterv1.ImportResponse, error) {
	return shards.Unary(ctx, f.routes, aggregate.TableOr(req.Table), req, func(s *Service, ctx context.Context, req *encounterv1.ImportRequest) (*encounterv1.ImportResponse, error) {
		return s.api.Import(ctx, req)
	})
}

// Export streams the stored Commits.
func (f *front) Export(req *encounterv1.ExportRequest, stream encounterv1.EncounterService_ExportServer) error {
	return shards.Stream(f.routes, aggregate.TableOr(req.Table), req, stream, func(s *Service, req *encounterv1.ExportRequest, stream grpc.ServerStreamingServer[encounterv1.ExportResponse]) error {
		return s.api.Export(req, stream)
	})
}
