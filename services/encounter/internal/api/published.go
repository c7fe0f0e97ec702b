package api

import (
	"context"

	"github.com/skaldrpg/skald/pkg/aggregate"
	publish "github.com/skaldrpg/skald/services/encounter/internal/feed"
	"github.com/skaldrpg/skald/services/encounter/internal/replica"
)

// spectator is whose steps the feed has: a watch of the same one gets the same bytes.
var spectator = aggregate.Viewer(aggregate.ViewerEveryone)

// Published reads the steps of a page as the feed publishes them: what a watch of a
// spectator without a name, with bytes, is sent.
func (s *Server) Published(ctx context.Context, table, id string, after uint64) (publish.Page, error) {
	var out publish.Page
	f, release, err := s.Engine.Fight(ctx, table, id)
	if err != nil {
		return out, err
	}
	defer release()
	f.Read(func(r *replica.Replica) {
		out.Version, out.Sequence, out.Hash, out.Number = r.Version, r.Sequence, r.Hash, uint64(len(r.Views[aggregate.ViewerEveryone].Versions))
	})
	if after > out.Number {
		return out, nil
	}
	if out.Before, err = s.transcriptAt(ctx, f, spectator, after); err != nil {
		return out, err
	}
	out.Steps, out.More, err = s.watched(ctx, f, spectator, after, true)
	return out, err
}
