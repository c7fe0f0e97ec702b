package store

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/projection"
)

// putDue notes when an encounter is due; 0 means never. What is stored depends on
// the encounter's Commits alone, not on when they are folded.
func putDue(tx *projection.Tx, table, id string, due int64) error {
	key := projection.Key(table, id)
	was := tx.Get(dues, key)
	if due == 0 && was == nil {
		return nil
	}
	now := binary.BigEndian.AppendUint64(nil, uint64(max(0, due))) //nolint:gosec // not negative
	if bytes.Equal(was, now) {
		return nil
	}
	var errs []error
	if was != nil {
		errs = append(errs, tx.Delete(agenda, append(was, key...)))
	}
	if due == 0 {
		return errors.Join(append(errs, tx.Delete(dues, key))...)
	}
	return errors.Join(append(errs, tx.Put(dues, key, now), tx.Put(agenda, append(bytes.Clone(now), key...), []byte{}))...)
}

// Due lists encounters that are due at a time, the longest due first, from a place
// on. Before the projection has read the log to its end it knows of none: what it
// would tell is long past.
func (s Reader) Due(millis int64, after []byte, limit int) (due []aggregate.Name, next []byte, err error) {
	if !s.P.Status().CaughtUp {
		return nil, after, nil
	}
	err = s.P.View(func(tx *projection.Tx) error {
		return tx.Scan(agenda, nil, after, func(k, _ []byte) (bool, error) {
			if len(k) < 8 {
				return false, fmt.Errorf("store: agenda: a key of %d bytes", len(k))
			}
			if binary.BigEndian.Uint64(k) > uint64(max(0, millis)) { //nolint:gosec // not negative
				return false, nil
			}
			if len(due) == limit {
				next = bytes.Clone(k)
				return false, nil
			}
			parts := bytes.Split(k[8:], []byte{0})
			if len(parts) != 3 {
				return false, fmt.Errorf("store: agenda: %q names no encounter", k)
			}
			due = append(due, aggregate.Name{Table: string(parts[0]), Kind: aggregate.Encounter, ID: string(parts[1])})
			return true, nil
		})
	})
	return due, next, err
}
