package backup

import (
	"context"
	"fmt"
	"slices"

	"github.com/skaldrpg/skald/pkg/archive"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/tombstone"
)

// Returned names the tables that an archive or backup still has although they were
// deleted, by the tombstones that people kept: whoever restores it has them again.
func Returned(ctx context.Context, root string, kept []tombstone.Tombstone) ([]string, error) {
	dirs, err := folders(ctx, root)
	if err != nil {
		return nil, err
	}
	held, buried := map[string]bool{}, map[string]bool{}
	for _, dir := range dirs {
		if _, err := archive.Records(ctx, archive.ReadFolder(dir), 1, func(r journal.Record, _ archive.Chain) error {
			table, _, ok := journal.TableOf(r.Subject)
			if _, stone := journal.SplitTombstone(r.Subject); stone {
				buried[table] = true
			} else if ok {
				held[table] = true
			}
			return nil
		}); err != nil {
			return nil, fmt.Errorf("backup: %s: %w", dir, err)
		}
	}
	var out []string
	for _, t := range kept {
		if held[t.Table] && !buried[t.Table] {
			out = append(out, t.Table)
		}
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}
