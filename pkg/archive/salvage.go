package archive

import (
	"context"
	"errors"

	"github.com/skaldrpg/skald/pkg/journal"
)

// Salvage calls fn for every record that is whole, in order of the segments, also
// behind damaged ones. It returns what is wrong with the segments, and the stream
// that the first readable one names. An error of fn ends it.
func Salvage(ctx context.Context, s Store, fn func(journal.Record) error) ([]Finding, Stream, error) {
	list, err := entries(ctx, s)
	if err != nil {
		return nil, Stream{}, err
	}
	var found []Finding
	var of Stream
	for _, e := range list {
		if err := ctx.Err(); err != nil {
			return found, of, err
		}
		var own error
		seg, _, err := load(ctx, s, e, func(r journal.Record, _ Chain) error {
			own = fn(r)
			return own
		})
		if own != nil {
			return found, of, own
		}
		if of.ID == "" {
			of = seg.stream
		}
		var d *damage
		if err != nil && !(errors.As(err, &d) && d.torn) {
			found = append(found, Finding{Object: e.Name, From: max(e.first, seg.last+1), What: err.Error()})
		}
	}
	return found, of, nil
}
