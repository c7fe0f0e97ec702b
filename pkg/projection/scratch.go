package projection

import (
	"errors"
	"fmt"

	bolt "go.etcd.io/bbolt"

	"github.com/skaldrpg/skald/pkg/journal"
)

// scratchBatch is after how many records a scratch writes what it has gathered.
const scratchBatch = 500

// Scratch is a fold without a log: whoever has records hands them over, one after the
// other, and reads what came of them. Its file is worth nothing afterwards. It is not
// safe for concurrent use.
type Scratch struct {
	db    *bolt.DB
	fold  Fold
	tx    *bolt.Tx
	count int
}

// OpenScratch makes a scratch in a new file. Errors are of the file system.
func OpenScratch(path string, fold Fold) (*Scratch, error) {
	db, err := openFile(path, true)
	if err != nil {
		return nil, fmt.Errorf("projection: %w", err)
	}
	s := &Scratch{db: db, fold: fold}
	if err := s.begin(); err != nil {
		db.Close() //nolint:errcheck // there is nothing in it
		return nil, err
	}
	for _, b := range append([]Bucket{state}, fold.Buckets()...) {
		if _, err := s.tx.CreateBucketIfNotExists([]byte(b)); err != nil {
			return nil, errors.Join(fmt.Errorf("projection: %w", err), s.Close())
		}
	}
	return s, nil
}

func (s *Scratch) begin() (err error) {
	if s.tx, err = s.db.Begin(true); err != nil {
		return fmt.Errorf("projection: %w", err)
	}
	return nil
}

// Apply folds the next record. Errors are those of the fold; something of a record that
// can not be folded may stay, so that what depends on it is not to be read any more.
func (s *Scratch) Apply(rec journal.Record) error {
	tx := &Tx{tx: s.tx}
	if err := s.fold.Apply(tx, rec); err != nil && !errors.Is(err, ErrForeign) {
		return err
	}
	if tx.damaged != nil {
		return tx.damaged
	}
	if s.count++; s.count%scratchBatch > 0 {
		return nil
	}
	if err := s.tx.Commit(); err != nil {
		return fmt.Errorf("projection: %w", err)
	}
	return s.begin()
}

// View reads what the records so far came to. Errors are those of fn, and ErrDamaged.
func (s *Scratch) View(fn func(*Tx) error) error {
	tx := &Tx{tx: s.tx}
	if err := fn(tx); err != nil {
		return err
	}
	return tx.damaged
}

// Close closes the file.
func (s *Scratch) Close() error {
	return errors.Join(s.tx.Rollback(), s.db.Close())
}
