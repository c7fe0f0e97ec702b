package erase

import (
	"context"

	"google.golang.org/grpc"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/auth"
	opsv1 "github.com/skaldrpg/skald/proto/skald/ops/v1"
)

// Register offers the deletion of tables on a server.
func Register(r grpc.ServiceRegistrar, e *Eraser) {
	opsv1.RegisterTableServiceServer(r, &server{eraser: e, by: "operator"})
}

type server struct {
	opsv1.UnimplementedTableServiceServer
	eraser *Eraser
	by     string // who asks where no token says so
}

// ListTables lists the tables.
func (s *server) ListTables(ctx context.Context, req *opsv1.ListTablesRequest) (*opsv1.ListTablesResponse, error) {
	all, err := s.eraser.Tables(ctx)
	if err != nil {
		return nil, aggregate.Fault(err)
	}
	out := &opsv1.ListTablesResponse{}
	limit := aggregate.Page(req.Limit)
	for _, t := range all {
		switch {
		case t.Table <= req.After:
		case len(out.Tables) == limit:
			out.More = true
			return out, nil
		default:
			out.Tables = append(out.Tables, t)
		}
	}
	return out, nil
}

// DeleteTable deletes a table. It goes on when its caller does not wait: half of it
// is no state to leave a table in.
func (s *server) DeleteTable(ctx context.Context, req *opsv1.DeleteTableRequest) (*opsv1.DeleteTableResponse, error) {
	by := s.by
	if g := auth.From(ctx); g != nil && g.Subject != "" {
		by = g.Subject
	}
	if !req.DryRun {
		ctx = context.WithoutCancel(ctx)
	}
	out, err := s.eraser.Delete(ctx, Request{Table: req.Table, By: by, Reason: req.Reason, OpenFights: req.OpenFights, DryRun: req.DryRun})
	return out, aggregate.Fault(err)
}

// GetTombstone returns the tombstones of a table.
func (s *server) GetTombstone(ctx context.Context, req *opsv1.GetTombstoneRequest) (*opsv1.GetTombstoneResponse, error) {
	all, err := s.eraser.Tombstones(ctx, req.Table)
	if err != nil {
		return nil, aggregate.Fault(err)
	}
	return &opsv1.GetTombstoneResponse{Tombstone: all[0], Later: all[1:]}, nil
}

// Direct is a client that calls an eraser of this process, on behalf of by.
func Direct(e *Eraser, by string) opsv1.TableServiceClient {
	return &direct{server{eraser: e, by: by}}
}

type direct struct{ s server }

// ListTables is opsv1.TableServiceClient.ListTables.
func (d *direct) ListTables(ctx context.Context, req *opsv1.ListTablesRequest, _ ...grpc.CallOption) (*opsv1.ListTablesResponse, error) {
	return d.s.ListTables(ctx, req)
}

// DeleteTable is opsv1.TableServiceClient.DeleteTable.
func (d *direct) DeleteTable(ctx context.Context, req *opsv1.DeleteTableRequest, _ ...grpc.CallOption) (*opsv1.DeleteTableResponse, error) {
	return d.s.DeleteTable(ctx, req)
}

// GetTombstone is opsv1.TableServiceClient.GetTombstone.
func (d *direct) GetTombstone(ctx context.Context, req *opsv1.GetTombstoneRequest, _ ...grpc.CallOption) (*opsv1.GetTombstoneResponse, error) {
	return d.s.GetTombstone(ctx, req)
}
