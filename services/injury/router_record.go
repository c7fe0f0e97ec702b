package injury

import (
	"context"

	"google.golang.org/grpc"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/shards"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
)

// recordFront answers the calls about the record with the service of the table's
// stream.
type recordFront struct {
	injuryv1.UnimplementedPatientRecordServiceServer
	routes *shards.Routes[*Service]
}

// ExplainDeed says why an entry came out as it did.
func (f *recordFront) ExplainDeed(ctx context.Context, req *injuryv1.ExplainDeedRequest) (*injuryv1.ExplainDeedResponse, error) {
	return shards.Unary(ctx, f.routes, aggregate.TableOr(req.Table), req, func(s *Service, ctx context.Context, req *injuryv1.ExplainDeedRequest) (*injuryv1.ExplainDeedResponse, error) {
		return s.record.ExplainDeed(ctx, req)
	})
}

// ExportPatient streams a patient's record.
func (f *recordFront) ExportPatient(req *injuryv1.ExportPatientRequest, stream grpc.ServerStreamingServer[injuryv1.ExportPatientResponse]) error {
	return shards.Stream(f.routes, aggregate.TableOr(req.Table), req, stream, func(s *Service, req *injuryv1.ExportPatientRequest, stream grpc.ServerStreamingServer[injuryv1.ExportPatientResponse]) error {
		return s.record.ExportPatient(req, stream)
	})
}

// ExportTable streams all that is recorded at a table.
func (f *recordFront) ExportTable(req *injuryv1.ExportTableRequest, stream grpc.ServerStreamingServer[injuryv1.ExportTableResponse]) error {
	return shards.Stream(f.routes, aggregate.TableOr(req.Table), req, stream, func(s *Service, req *injuryv1.ExportTableRequest, stream grpc.ServerStreamingServer[injuryv1.ExportTableResponse]) error {
		return s.record.ExportTable(req, stream)
	})
}
