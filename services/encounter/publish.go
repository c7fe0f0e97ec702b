package encounter

import (
	"context"

	"github.com/skaldrpg/skald/pkg/ops"
	"github.com/skaldrpg/skald/pkg/projection"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	publish "github.com/skaldrpg/skald/services/encounter/internal/feed"
	"github.com/skaldrpg/skald/services/encounter/internal/store"
)

// published is what the publisher of the feed reads.
type published struct{ s *Service }

// Heads implements publish.Source.
func (p published) Heads(fn func(table, encounter string, h publish.Head)) error {
	var all []*encounterv1.StoredHead
	if err := p.s.projection.View(func(tx *projection.Tx) error {
		all = nil
		return store.EachHead(tx, "", func(h *encounterv1.StoredHead) { all = append(all, h) })
	}); err != nil {
		return err
	}
	for _, h := range all {
		fn(h.Table, h.Encounter, publish.Head{Version: h.Version, Sequence: h.Sequence, Hash: h.Hash})
	}
	return nil
}

// Published implements publish.Source.
func (p published) Published(ctx context.Context, table, encounter string, after uint64) (publish.Page, error) {
	return p.s.api.Published(ctx, table, encounter, after)
}

// Deleted implements publish.Source.
func (p published) Deleted(table string) error { return p.s.Deleted(table) }

// publish keeps the feed going once the projection has caught up.
func (s *Service) publish(ctx context.Context) error {
	if s.publisher == nil {
		return nil
	}
	if err := s.Ready(ctx); err != nil {
		return err
	}
	s.publisher.Run(ctx)
	return nil
}

// Feed is how the feed stands; none when there is none.
func (s *Service) Feed() []ops.Part {
	if s.publisher == nil {
		return nil
	}
	return []ops.Part{s.publisher.Part()}
}
