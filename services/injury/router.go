package injury

import (
	"context"
	"time"

	"google.golang.org/grpc"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/crew"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/library/books"
	"github.com/skaldrpg/skald/pkg/ops"
	"github.com/skaldrpg/skald/pkg/shards"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"

	"github.com/skaldrpg/skald/services/injury/internal/ward"
)

// RouterConfig says over which streams the service works, and with whom.
type RouterConfig struct {
	// Streams of the journal.
	Streams *journal.Set
	// Config of each stream's service; Journal and Partition are filled in.
	Config
	// Crew is the processes of this service; nil when this one is alone.
	Crew *crew.Crew
	// Lines lead to their listeners for callers, InternalLines to those for
	// services; nil when this process is alone.
	Lines, InternalLines shards.Lines
	// Idle is that of shards.Config.
	Idle time.Duration
}

// Router is the injury service over all streams: it hands each call to the
// service of its table's stream, here or in another process.
type Router struct {
	*shards.Set[*Service]
	cfg RouterConfig
}

// NewRouter makes the service. A process without a crew opens the projections of
// all streams at once; errors are those of New.
func NewRouter(ctx context.Context, cfg RouterConfig) (*Router, error) {
	spread := shards.Config[*Service]{Streams: cfg.Streams, Crew: cfg.Crew, Idle: cfg.Idle, Logger: cfg.Logger}
	spread.Open = func(ctx context.Context, p int, log journal.Log) (*Service, error) {
		one := cfg.Config
		one.Journal, one.Partition = log, p
		return New(ctx, one)
	}
	set, err := shards.New(ctx, spread)
	if err != nil {
		return nil, err
	}
	return &Router{Set: set, cfg: cfg}, nil
}

// Register offers what is for callers on a server.
func (r *Router) Register(to grpc.ServiceRegistrar) {
	routes := r.Routes(r.cfg.Lines)
	injuryv1.RegisterInjuryServiceServer(to, &front{routes: routes})
	injuryv1.RegisterPatientRecordServiceServer(to, &recordFront{routes: routes})
}

// RegisterInternal offers what is for the encounter service alone. Never on a
// server that callers reach.
func (r *Router) RegisterInternal(to grpc.ServiceRegistrar) {
	content := books.New(books.Config{Where: books.Among(r.cfg.Streams), Base: books.BaseOf(r.cfg.Systems)})
	injuryv1.RegisterAssessmentServiceServer(to, &front{routes: r.Routes(r.cfg.InternalLines), assess: ward.New(ward.Config{Dice: r.cfg.Dice,
		Systems: r.cfg.Systems, Books: content, Logger: r.cfg.Logger, Clock: r.cfg.Clock})})
}

// RebuildAll makes the projections of all streams again, as Rebuild does.
func RebuildAll(ctx context.Context, cfg RouterConfig, progress func(done, total uint64)) error {
	return shards.Rebuild(cfg.Streams, progress, func(p int, log journal.Log, progress func(done, total uint64)) error {
		one := cfg.Config
		one.Journal, one.Partition = log, p
		return Rebuild(ctx, one, progress)
	})
}

// front answers the calls with the service of the table's stream.
type front struct {
	injuryv1.UnimplementedInjuryServiceServer
	injuryv1.UnimplementedAssessmentServiceServer
	routes *shards.Routes[*Service]
	assess *ward.Server // for what needs no record
}

// Tend carries out a deed.
func (f *front) Tend(ctx context.Context, req *injuryv1.TendRequest) (*injuryv1.TendResponse, error) {
	return shards.Unary(ctx, f.routes, aggregate.TableOr(req.Table), req, func(s *Service, ctx context.Context, req *injuryv1.TendRequest) (*injuryv1.TendResponse, error) {
		return s.server.Tend(ctx, req)
	})
}

// GetPatient returns what the caller may know of a patient.
func (f *front) GetPatient(ctx context.Context, req *injuryv1.GetPatientRequest) (*injuryv1.GetPatientResponse, error) {
	return shards.Unary(ctx, f.routes, aggregate.TableOr(req.Table), req, func(s *Service, ctx context.Context, req *injuryv1.GetPatientRequest) (*injuryv1.GetPatientResponse, error) {
		return s.server.GetPatient(ctx, req)
	})
}

// ListPatients lists the patients of a table.
func (f *front) ListPatients(ctx context.Context, req *injuryv1.ListPatientsRequest) (*injuryv1.ListPatientsResponse, error) {
	return shards.Unary(ctx, f.routes, aggregate.TableOr(req.Table), req, func(s *Service, ctx context.Context, req *injuryv1.ListPatientsRequest) (*injuryv1.ListPatientsResponse, error) {
		return s.server.ListPatients(ctx, req)
	})
}

// GetPatientHistory returns what happened to a patient.
func (f *front) GetPatientHistory(ctx context.Context, req *injuryv1.GetPatientHistoryRequest) (*injuryv1.GetPatientHistoryResponse, error) {
	return shards.Unary(ctx, f.routes, aggregate.TableOr(req.Table), req, func(s *Service, ctx context.Context, req *injuryv1.GetPatientHistoryRequest) (*injuryv1.GetPatientHistoryResponse, error) {
		return s.server.GetPatientHistory(ctx, req)
	})
}

// Assess decides what harm does, from the request alone.
func (f *front) Assess(ctx context.Context, req *injuryv1.AssessRequest) (*injuryv1.AssessResponse, error) {
	return f.assess.Assess(ctx, req)
}

// PrepareEngage prepares a patient's Commit for entering a fight.
func (f *front) PrepareEngage(ctx context.Context, req *injuryv1.PrepareEngageRequest) (*injuryv1.PrepareEngageResponse, error) {
	return shards.Unary(ctx, f.routes, aggregate.TableOr(req.Table), req, func(s *Service, ctx context.Context, req *injuryv1.PrepareEngageRequest) (*injuryv1.PrepareEngageResponse, error) {
		return s.server.PrepareEngage(ctx, req)
	})
}

// PrepareRelease prepares a patient's Commit for leaving a fight.
func (f *front) PrepareRelease(ctx context.Context, req *injuryv1.PrepareReleaseRequest) (*injuryv1.PrepareReleaseResponse, error) {
	return shards.Unary(ctx, f.routes, aggregate.TableOr(req.Table), req, func(s *Service, ctx context.Context, req *injuryv1.PrepareReleaseRequest) (*injuryv1.PrepareReleaseResponse, error) {
		return s.server.PrepareRelease(ctx, req)
	})
}

// PrepareRuling prepares what a ruling of fights makes of records.
func (f *front) PrepareRuling(ctx context.Context, req *injuryv1.PrepareRulingRequest) (*injuryv1.PrepareRulingResponse, error) {
	return shards.Unary(ctx, f.routes, aggregate.TableOr(req.Table), req, func(s *Service, ctx context.Context, req *injuryv1.PrepareRulingRequest) (*injuryv1.PrepareRulingResponse, error) {
		return s.server.PrepareRuling(ctx, req)
	})
}

// Parts is how the service stands, stream by stream.
func (r *Router) Parts() []ops.Part {
	return r.Set.Parts(func(s *Service) []ops.Part { return []ops.Part{s.Part()} })
}

// ReadStanding says where a patient's record stands.
func (f *front) ReadStanding(ctx context.Context, req *injuryv1.ReadStandingRequest) (*injuryv1.ReadStandingResponse, error) {
	return shards.Unary(ctx, f.routes, aggregate.TableOr(req.Table), req, func(s *Service, ctx context.Context, req *injuryv1.ReadStandingRequest) (*injuryv1.ReadStandingResponse, error) {
		return s.server.ReadStanding(ctx, req)
	})
}

// ReadSteps returns the steps of a patient's transcript.
func (f *front) ReadSteps(ctx context.Context, req *injuryv1.ReadStepsRequest) (*injuryv1.ReadStepsResponse, error) {
	return shards.Unary(ctx, f.routes, aggregate.TableOr(req.Table), req, func(s *Service, ctx context.Context, req *injuryv1.ReadStepsRequest) (*injuryv1.ReadStepsResponse, error) {
		return s.server.ReadSteps(ctx, req)
	})
}

// ReadHeaders returns the headers of a patient's Commits.
func (f *front) ReadHeaders(ctx context.Context, req *injuryv1.ReadHeadersRequest) (*injuryv1.ReadHeadersResponse, error) {
	return shards.Unary(ctx, f.routes, aggregate.TableOr(req.Table), req, func(s *Service, ctx context.Context, req *injuryv1.ReadHeadersRequest) (*injuryv1.ReadHeadersResponse, error) {
		return s.server.ReadHeaders(ctx, req)
	})
}

// ReadTree returns the tree over the Commits of a table's patients.
func (f *front) ReadTree(ctx context.Context, req *injuryv1.ReadTreeRequest) (*injuryv1.ReadTreeResponse, error) {
	return shards.Unary(ctx, f.routes, aggregate.TableOr(req.Table), req, func(s *Service, ctx context.Context, req *injuryv1.ReadTreeRequest) (*injuryv1.ReadTreeResponse, error) {
		return s.server.ReadTree(ctx, req)
	})
}

// ProveVersion proves that a Commit of a patient lies in that tree.
func (f *front) ProveVersion(ctx context.Context, req *injuryv1.ProveVersionRequest) (*injuryv1.ProveVersionResponse, error) {
	return shards.Unary(ctx, f.routes, aggregate.TableOr(req.Table), req, func(s *Service, ctx context.Context, req *injuryv1.ProveVersionRequest) (*injuryv1.ProveVersionResponse, error) {
		return s.server.ProveVersion(ctx, req)
	})
}
