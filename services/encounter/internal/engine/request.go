package engine

import (
	"context"

	"github.com/skaldrpg/skald/services/encounter/internal/replica"
)

// known finds what a request id led to: among the last Commits, which are in
// memory, or in the projection, which has those before.
func (e *Engine) known(ctx context.Context, f *Fight, key string) (replica.Request, bool, error) {
	q, ok, before := f.replica.Request(key)
	if ok || before == 0 {
		return q, ok, nil
	}
	return e.cfg.Loader.Request(ctx, f.table, f.id, key, before)
}
