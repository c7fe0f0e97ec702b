package natsstore

import (
	"context"
	"path/filepath"
)

// Headers of an atomic batch.
const (
	headerBatch  = "Nats-Batch-Id"
	headerCommit = "Nats-Batch-Commit"
)

// batch looks whether the stream ends within an atomic batch: the server completes
// it from the folder in which it was staged. Without that, half of it stays.
func (x *examination) batch(ctx context.Context) error {
	id := x.s.tail.Get(headerBatch)
	if id == "" || x.s.tail.Get(headerCommit) != "" || x.s.tail.Seq != x.s.Last {
		return nil
	}
	dirs, err := list(filepath.Join(x.s.Folder, batchesDir))
	if err != nil {
		return err
	}
	for _, d := range dirs {
		whole := false
		staged := &examination{s: &Stream{Name: d.Name(), Folder: filepath.Join(x.s.Folder, batchesDir, d.Name()), First: 1, Deleted: map[uint64]bool{}}}
		staged.visit = func(_ *Stream, r Record) error {
			whole = whole || r.Get(headerBatch) == id && r.Get(headerCommit) != ""
			return nil
		}
		if err := staged.blocks(ctx); err != nil {
			return err
		}
		staged.gaps()
		if whole && len(staged.found) == 0 {
			return nil
		}
	}
	x.finding(filepath.Join(x.s.Folder, blocksDir), -1, KindBatch, "sequence %d belongs to a batch that was never completed", x.s.Last)
	x.found[len(x.found)-1].First, x.found[len(x.found)-1].Last = x.s.Last, x.s.Last
	return nil
}

// EndsInBatch is the id of the atomic batch within which the stream ends; empty
// when it ends with a whole one or none.
func (s *Stream) EndsInBatch() string {
	if s.tail.Get(headerCommit) != "" {
		return ""
	}
	return s.tail.Get(headerBatch)
}
