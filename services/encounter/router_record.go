package encounter

import (
	"context"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/attest"
	"github.com/skaldrpg/skald/pkg/shards"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	"github.com/skaldrpg/skald/services/encounter/internal/api"
)

// recordFront answers the calls about the record with the service of the table's
// stream.
type recordFront struct {
	encounterv1.UnimplementedRecordServiceServer
	routes *shards.Routes[*Service]
	keys   *attest.Keys
}

// GetKeys lists the public keys, which all streams share.
func (f *recordFront) GetKeys(ctx context.Context, req *encounterv1.GetKeysRequest) (*encounterv1.GetKeysResponse, error) {
	return (&api.Record{Server: &api.Server{Keys: f.keys}}).GetKeys(ctx, req)
}

// GetHead signs where an encounter stands.
func (f *recordFront) GetHead(ctx context.Context, req *encounterv1.GetHeadRequest) (*encounterv1.GetHeadResponse, error) {
	return shards.Unary(ctx, f.routes, aggregate.TableOr(req.Table), req, func(s *Service, ctx context.Context, req *encounterv1.GetHeadRequest) (*encounterv1.GetHeadResponse, error) {
		return s.record.GetHead(ctx, req)
	})
}

// GetTranscript returns the digests of the caller's steps.
func (f *recordFront) GetTranscript(ctx context.Context, req *encounterv1.GetTranscriptRequest) (*encounterv1.GetTranscriptResponse, error) {
	return shards.Unary(ctx, f.routes, aggregate.TableOr(req.Table), req, func(s *Service, ctx context.Context, req *encounterv1.GetTranscriptRequest) (*encounterv1.GetTranscriptResponse, error) {
		return s.record.GetTranscript(ctx, req)
	})
}

// GetHeaders returns headers of Commits.
func (f *recordFront) GetHeaders(ctx context.Context, req *encounterv1.GetHeadersRequest) (*encounterv1.GetHeadersResponse, error) {
	return shards.Unary(ctx, f.routes, aggregate.TableOr(req.Table), req, func(s *Service, ctx context.Context, req *encounterv1.GetHeadersRequest) (*encounterv1.GetHeadersResponse, error) {
		return s.record.GetHeaders(ctx, req)
	})
}

// GetCheckpoint signs the tree over the stream of a table.
func (f *recordFront) GetCheckpoint(ctx context.Context, req *encounterv1.GetCheckpointRequest) (*encounterv1.GetCheckpointResponse, error) {
	return shards.Unary(ctx, f.routes, aggregate.TableOr(req.Table), req, func(s *Service, ctx context.Context, req *encounterv1.GetCheckpointRequest) (*encounterv1.GetCheckpointResponse, error) {
		return s.record.GetCheckpoint(ctx, req)
	})
}

// ProveHead proves that a Commit is in a checkpoint.
func (f *recordFront) ProveHead(ctx context.Context, req *encounterv1.ProveHeadRequest) (*encounterv1.ProveHeadResponse, error) {
	return shards.Unary(ctx, f.routes, aggregate.TableOr(req.Table), req, func(s *Service, ctx context.Context, req *encounterv1.ProveHeadRequest) (*encounterv1.ProveHeadResponse, error) {
		return s.record.ProveHead(ctx, req)
	})
}
