package erase

import (
	"context"
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/journal"
	opsv1 "github.com/skaldrpg/skald/proto/skald/ops/v1"
)

// Tables lists all tables of the journal, deleted ones included, by name.
func (e *Eraser) Tables(ctx context.Context) ([]*opsv1.Table, error) {
	var out []*opsv1.Table
	for p, stream := range e.cfg.Streams.All() {
		subjects, err := stream.Subjects(ctx, journal.PartitionFilter(p))
		if err != nil {
			return nil, err
		}
		rows, err := e.tables(ctx, stream, p, subjects)
		if err != nil {
			return nil, err
		}
		out = append(out, rows...)
	}
	slices.SortFunc(out, func(a, b *opsv1.Table) int { return strings.Compare(a.Table, b.Table) })
	return out, nil
}

func (e *Eraser) tables(ctx context.Context, stream *journal.Stream, p int, subjects map[string]uint64) ([]*opsv1.Table, error) {
	counts := map[string]map[string]uint64{}
	for subject, n := range subjects { // order-free: sums
		name, _, ok := journal.TableOf(subject)
		if !ok {
			continue
		}
		if counts[name] == nil {
			counts[name] = map[string]uint64{}
		}
		counts[name][kindOf(subject)] += n
	}
	var out []*opsv1.Table
	for name, kinds := range counts { // order-free: sorted by the caller
		row := &opsv1.Table{Table: name, Stream: uint32(p)} //nolint:gosec // few
		for kind, n := range kinds {                        // order-free: sorted below
			row.Records = append(row.Records, &opsv1.RecordCount{Kind: kind, Records: n})
		}
		slices.SortFunc(row.Records, func(a, b *opsv1.RecordCount) int { return strings.Compare(a.Kind, b.Kind) })
		if kinds["tombstone"] > 0 {
			all, err := e.believe.All(ctx, stream, p, name)
			if err != nil {
				return nil, err
			}
			row.Deleted = len(all) > 0
		}
		out = append(out, row)
	}
	return out, nil
}
