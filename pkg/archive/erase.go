package archive

import (
	"context"
	"errors"
	"fmt"

	"github.com/skaldrpg/skald/pkg/journal"
)

// Erased is what Erase did.
type Erased struct {
	// Kept and Dropped records.
	Kept, Dropped uint64
	// Head of the new archive.
	Head Head
}

// Erase writes what an archive holds into an empty one, but for the records that drop
// tells of. Nobody may write to either meanwhile. The old one stays as it is. Errors
// are ErrDamaged, ErrEmpty, ErrDiffers when the target is not empty, and those of the
// stores.
func Erase(ctx context.Context, from, to Store, segmentBytes int, drop func(journal.Record) bool) (out Erased, err error) {
	source, err := ReadHead(ctx, from)
	if err != nil {
		return out, err
	}
	if there, err := entries(ctx, to); err != nil || len(there) > 0 {
		return out, errors.Join(err, fmt.Errorf("%w: the target is not empty", ErrDiffers))
	}
	if segmentBytes <= 0 {
		segmentBytes = SegmentBytes
	}
	w, err := openWriter(ctx, to, source.Stream, segmentBytes)
	if err != nil {
		return out, err
	}
	var batch []journal.Record
	size := 0
	_, err = Records(ctx, from, 1, func(r journal.Record, _ Chain) error {
		if drop(r) {
			out.Dropped++
			return nil
		}
		out.Kept++
		batch = append(batch, r)
		if size += len(r.Data); size < copyBatch {
			return nil
		}
		err := w.add(ctx, batch)
		batch, size = batch[:0], 0
		return err
	})
	if err == nil {
		err = errors.Join(w.add(ctx, batch), w.sync(ctx))
	}
	if err != nil {
		return out, err
	}
	found, head, err := Check(ctx, to)
	if err == nil && (len(found) > 0 || head.Seq != w.seq || head.Chain != w.chain) {
		err = fmt.Errorf("%w: what was written does not read back: %v", ErrDamaged, found)
	}
	out.Head = head
	return out, err
}
