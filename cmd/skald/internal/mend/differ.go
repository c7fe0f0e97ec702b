package mend

import (
	"bytes"
	"errors"
	"fmt"

	bolt "go.etcd.io/bbolt"

	"github.com/skaldrpg/skald/cmd/skald/internal/witness"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/projection"
)

// errDiffers ends the reading of a projection.
var errDiffers = errors.New("differs")

// differing lists the projections that hold something else than the mended
// journal: they must be made again from it. What can not be read is left to the
// next start, which moves it aside by itself.
func (m *mender) differing() ([]string, error) {
	if err := m.spool.flush(); err != nil {
		return nil, err
	}
	var out []string
	for _, path := range witness.Projections(m.cfg.DataDir) {
		differs, err := m.differs(path)
		if err != nil {
			return nil, err
		}
		if differs {
			out = append(out, path)
		}
	}
	return out, nil
}

func (m *mender) differs(path string) (bool, error) {
	name := witness.StreamOf(path)
	seq, _, id, err := projection.Checkpoint(path)
	if err != nil || seq == 0 && id == "" {
		return false, nil //nolint:nilerr // not to be read: the start sees to it
	}
	s := m.streams[name]
	if s == nil || id != s.id {
		return true, nil
	}
	err = m.spool.db.View(func(tx *bolt.Tx) error {
		b := tx.Bucket([]byte("chosen " + name))
		if b == nil || b.Get(seqKey(seq)) == nil && seq > 0 {
			return errDiffers
		}
		known := false
		err := projection.ReadLog(path, func(e projection.LogEntry) error {
			known = known || e.Sequence == seq
			if is := b.Get(seqKey(e.Sequence)); !bytes.Equal(is, e.Digest[:]) && !journal.IsLost(e.Subject) {
				return errDiffers
			}
			return nil
		})
		if err == nil && seq > 0 && !known {
			return errDiffers // of an earlier layout: nothing tells
		}
		return err
	})
	switch {
	case errors.Is(err, errDiffers):
		return true, nil
	case err == nil, errors.Is(err, projection.ErrDamaged):
		return false, nil
	}
	return false, fmt.Errorf("mend: %w", err)
}
