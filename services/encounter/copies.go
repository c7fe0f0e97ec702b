package encounter

import (
	"crypto/sha256"
	"errors"
	"fmt"

	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/projection"
	"github.com/skaldrpg/skald/services/encounter/internal/store"
)

// Copies calls fn for each Commit, and each pack, that a projection's file holds whole, as the log
// had it: subject, sequence, id and data, without a time. It is a source for
// mending a log. The file is not changed; it may be open in a running process,
// and parts of it may be damaged: then the error wraps projection.ErrDamaged after
// fn was called for what is whole. Each record comes once, in the order of
// encounters and versions where the file is whole, packs last. An error of fn ends it.
func Copies(path string, fn func(journal.Record) error) error {
	known := map[[sha256.Size]byte]projection.LogEntry{}
	damaged := projection.ReadLog(path, func(e projection.LogEntry) error {
		if !e.Refused {
			known[e.Digest] = e
		}
		return nil
	})
	if damaged != nil && !errors.Is(damaged, projection.ErrDamaged) {
		return fmt.Errorf("encounter: copies: %w", damaged)
	}
	take := func(_, data []byte) error {
		sum := sha256.Sum256(data)
		e, ok := known[sum]
		if !ok {
			return nil // its place in the log is not known
		}
		delete(known, sum)
		return fn(journal.Record{Subject: e.Subject, Seq: e.Sequence, ID: e.ID, Data: append([]byte(nil), data...)})
	}
	for _, bucket := range []projection.Bucket{store.Commits, store.Branches, store.Packs} {
		err := projection.Salvage(path, bucket, take)
		if errors.Is(err, projection.ErrDamaged) {
			damaged = err
		} else if err != nil {
			return err
		}
	}
	return damaged
}
