package api

import (
	"context"

	"github.com/skaldrpg/skald/pkg/fault"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// GetProgress says how far a ruling is that is being made. It waits for none.
func (s *Server) GetProgress(ctx context.Context, req *encounterv1.GetProgressRequest) (*encounterv1.GetProgressResponse, error) {
	f, _, release, err := s.open(ctx, req.As, req.Table, req.Encounter)
	if err != nil {
		return nil, err
	}
	defer release()
	if req.As.GetRole() != eventv1.Principal_ROLE_GM {
		return nil, fault.New(fault.Denied, "GM_ONLY", "a ruling that is being made is the game master's to see")
	}
	return &encounterv1.GetProgressResponse{Progress: f.Progress()}, nil
}
