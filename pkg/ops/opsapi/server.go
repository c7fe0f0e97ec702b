package opsapi

import (
	"context"

	"google.golang.org/grpc"

	"github.com/skaldrpg/skald/pkg/ops"
	opsv1 "github.com/skaldrpg/skald/proto/skald/ops/v1"
)

type server struct {
	opsv1.UnimplementedOperationsServiceServer
	board *ops.Board
}

// Register offers the status of a board on a server.
func Register(r grpc.ServiceRegistrar, b *ops.Board) {
	opsv1.RegisterOperationsServiceServer(r, &server{board: b})
}

// GetStatus implements opsv1.OperationsServiceServer.
func (s *server) GetStatus(context.Context, *opsv1.GetStatusRequest) (*opsv1.GetStatusResponse, error) {
	parts := s.board.Parts()
	out := &opsv1.GetStatusResponse{Worst: state(ops.Worst(parts))}
	for _, p := range parts {
		part := &opsv1.Part{Name: p.Name, State: state(p.State), Text: p.Text}
		for _, f := range p.Figures {
			part.Figures = append(part.Figures, &opsv1.Figure{Name: f.Name, Help: f.Help, Value: f.Value})
		}
		for _, c := range p.Closed {
			part.Closed = append(part.Closed, &opsv1.ClosedRecord{Table: c.Table, Kind: c.Kind, Id: c.ID, Sequence: c.Sequence, Why: c.Why})
		}
		out.Parts = append(out.Parts, part)
	}
	return out, nil
}

func state(s ops.State) opsv1.PartState {
	switch s {
	case ops.Fine:
		return opsv1.PartState_PART_STATE_FINE
	case ops.Degraded:
		return opsv1.PartState_PART_STATE_DEGRADED
	}
	return opsv1.PartState_PART_STATE_FAILED
}
