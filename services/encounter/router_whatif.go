package encounter

import (
	"context"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/shards"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
)

// whatIfFront answers the calls about contests and about what would be with the
// service of the table's stream.
type whatIfFront struct {
	encounterv1.UnimplementedWhatIfServiceServer
	routes *shards.Routes[*Service]
}

// ListContests lists contests.
func (f *whatIfFront) ListContests(ctx context.Context, req *encounterv1.ListContestsRequest) (*encounterv1.ListContestsResponse, error) {
	return shards.Unary(ctx, f.routes, aggregate.TableOr(req.Table), req, func(s *Service, ctx context.Context, req *encounterv1.ListContestsRequest) (*encounterv1.ListContestsResponse, error) {
		return s.whatIf.ListContests(ctx, req)
	})
}

// Preview says what a command would do.
func (f *whatIfFront) Preview(ctx context.Context, req *encounterv1.PreviewRequest) (*encounterv1.PreviewResponse, error) {
	return shards.Unary(ctx, f.routes, aggregate.TableOr(req.Table), req, func(s *Service, ctx context.Context, req *encounterv1.PreviewRequest) (*encounterv1.PreviewResponse, error) {
		return s.whatIf.Preview(ctx, req)
	})
}

// Compare says where two states differ.
func (f *whatIfFront) Compare(ctx context.Context, req *encounterv1.CompareRequest) (*encounterv1.CompareResponse, error) {
	return shards.Unary(ctx, f.routes, aggregate.TableOr(req.Table), req, func(s *Service, ctx context.Context, req *encounterv1.CompareRequest) (*encounterv1.CompareResponse, error) {
		return s.whatIf.Compare(ctx, req)
	})
}
