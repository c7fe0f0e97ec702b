package archive

import (
	"context"
	"errors"
	"fmt"

	"github.com/skaldrpg/skald/pkg/journal"
)

// copyBatch is how many bytes are appended at once.
const copyBatch = 1 << 20

// Copy adds to one archive what it lacks of another, which may grow meanwhile, and
// returns where it ends then. ErrDiffers when the target has something else.
func Copy(ctx context.Context, from, to Store, segmentBytes int) (Head, error) {
	source, err := ReadHead(ctx, from)
	if err != nil {
		return Head{}, err
	}
	if segmentBytes <= 0 {
		segmentBytes = SegmentBytes
	}
	w, err := openWriter(ctx, to, source.Stream, segmentBytes)
	if err != nil {
		return Head{}, err
	}
	if w.seq > source.Seq {
		return Head{}, fmt.Errorf("%w: the copy reaches to sequence %d, the archive to %d", ErrDiffers, w.seq, source.Seq)
	}
	begun, agreed := w.seq, w.seq == 0
	var batch []journal.Record
	size := 0
	_, err = Records(ctx, from, max(begun, 1), func(r journal.Record, c Chain) error {
		if r.Seq <= begun {
			agreed = r.Seq == begun && c == w.chain
			return nil
		}
		if !agreed {
			return fmt.Errorf("%w: the copy has another history up to sequence %d", ErrDiffers, begun)
		}
		batch = append(batch, r)
		if size += len(r.Data); size < copyBatch {
			return nil
		}
		err := w.add(ctx, batch)
		batch, size = batch[:0], 0
		return err
	})
	if err == nil && !agreed {
		err = fmt.Errorf("%w: the copy has another history up to sequence %d", ErrDiffers, begun)
	}
	if err != nil {
		return Head{}, err
	}
	if err := errors.Join(w.add(ctx, batch), w.sync(ctx)); err != nil {
		return Head{}, err
	}
	return Head{Stream: w.stream, Seq: w.seq, Chain: w.chain}, nil
}
