package encounter

import (
	"context"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/shards"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
)

// contentFront answers the calls about packs with the service of the table's
// stream.
type contentFront struct {
	encounterv1.UnimplementedContentServiceServer
	routes *shards.Routes[*Service]
}

// PutPack keeps a pack at a table.
func (f *contentFront) PutPack(ctx context.Context, req *encounterv1.PutPackRequest) (*encounterv1.PutPackResponse, error) {
	return shards.Unary(ctx, f.routes, aggregate.TableOr(req.Table), req, func(s *Service, ctx context.Context, req *encounterv1.PutPackRequest) (*encounterv1.PutPackResponse, error) {
		return s.content.PutPack(ctx, req)
	})
}

// CheckPack says everything that is wrong with a pack.
func (f *contentFront) CheckPack(ctx context.Context, req *encounterv1.CheckPackRequest) (*encounterv1.CheckPackResponse, error) {
	return shards.Unary(ctx, f.routes, aggregate.TableOr(req.Table), req, func(s *Service, ctx context.Context, req *encounterv1.CheckPackRequest) (*encounterv1.CheckPackResponse, error) {
		return s.content.CheckPack(ctx, req)
	})
}

// GetPack returns a pack as it is stored.
func (f *contentFront) GetPack(ctx context.Context, req *encounterv1.GetPackRequest) (*encounterv1.GetPackResponse, error) {
	return shards.Unary(ctx, f.routes, aggregate.TableOr(req.Table), req, func(s *Service, ctx context.Context, req *encounterv1.GetPackRequest) (*encounterv1.GetPackResponse, error) {
		return s.content.GetPack(ctx, req)
	})
}

// ListPacks lists the packs of a table.
func (f *contentFront) ListPacks(ctx context.Context, req *encounterv1.ListPacksRequest) (*encounterv1.ListPacksResponse, error) {
	return shards.Unary(ctx, f.routes, aggregate.TableOr(req.Table), req, func(s *Service, ctx context.Context, req *encounterv1.ListPacksRequest) (*encounterv1.ListPacksResponse, error) {
		return s.content.ListPacks(ctx, req)
	})
}

// ListContent lists what packs offer by name.
func (f *contentFront) ListContent(ctx context.Context, req *encounterv1.ListContentRequest) (*encounterv1.ListContentResponse, error) {
	return shards.Unary(ctx, f.routes, aggregate.TableOr(req.Table), req, func(s *Service, ctx context.Context, req *encounterv1.ListContentRequest) (*encounterv1.ListContentResponse, error) {
		return s.content.ListContent(ctx, req)
	})
}

// CheckSheet says what is wrong with a sheet that is to be played with packs.
func (f *contentFront) CheckSheet(ctx context.Context, req *encounterv1.CheckSheetRequest) (*encounterv1.CheckSheetResponse, error) {
	return shards.Unary(ctx, f.routes, aggregate.TableOr(req.Table), req, func(s *Service, ctx context.Context, req *encounterv1.CheckSheetRequest) (*encounterv1.CheckSheetResponse, error) {
		return s.content.CheckSheet(ctx, req)
	})
}
