package archive

import (
	"bytes"
	"context"
	"fmt"

	"github.com/skaldrpg/skald/pkg/journal"
)

// matches compares one segment with the log. A record that only the archive has
// was purged, or the log lost it; one that the log has there and the archive has
// not, or has otherwise, makes them two different logs.
func matches(ctx context.Context, log journal.Log, s Store, e entry) error {
	held := map[uint64]journal.Record{}
	seg, _, err := load(ctx, s, e, func(r journal.Record, _ Chain) error {
		held[r.Seq] = r
		return nil
	})
	if err != nil {
		return fmt.Errorf("archive: %s: %w", e.Name, err)
	}
	if seg.records == 0 {
		return nil
	}
	return log.Read(ctx, "", seg.first, seg.last, func(r journal.Record) error {
		if journal.IsLost(r.Subject) {
			return nil // the log lost what may be here
		}
		have, ok := held[r.Seq]
		if !ok || have.Subject != r.Subject || have.ID != r.ID || !bytes.Equal(have.Data, r.Data) {
			return fmt.Errorf("%w: sequence %d", ErrDiffers, r.Seq)
		}
		return nil
	})
}

// sameLog compares the end of an archive with the log. Where the log is behind, it
// has lost its end or is another one.
func (w *writer) sameLog(ctx context.Context, log journal.Log, info journal.Info) error {
	if info.LastSeq < w.seq {
		return fmt.Errorf("%w: the log ends at sequence %d, the archive has %d", ErrDiffers, info.LastSeq, w.seq)
	}
	list, err := entries(ctx, w.store)
	if err != nil || len(list) == 0 {
		return err
	}
	return matches(ctx, log, w.store, list[len(list)-1])
}
