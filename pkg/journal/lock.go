package journal

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"
)

// LockFolder takes a store folder for this process until the lock is closed, as a
// server does: ErrLocked when another has it.
func LockFolder(dir string) (io.Closer, error) { return lockFolder(dir) }

// lockFolder takes a store folder for this process. The file is only a lock: what
// it holds does not matter, and a damaged one is made again.
func lockFolder(dir string) (*bbolt.DB, error) {
	path := filepath.Join(dir, "skald.lock")
	lock, err := openLock(path)
	if err != nil && !errors.Is(err, berrors.ErrTimeout) {
		if empty := emptyLock(path); errors.Is(empty, berrors.ErrTimeout) {
			return nil, fmt.Errorf("%w: %s", ErrLocked, dir)
		} else if empty != nil {
			return nil, fmt.Errorf("journal: lock store folder: %w", errors.Join(err, empty))
		}
		lock, err = openLock(path)
	}
	if errors.Is(err, berrors.ErrTimeout) {
		return nil, fmt.Errorf("%w: %s", ErrLocked, dir)
	}
	if err != nil {
		return nil, fmt.Errorf("journal: lock store folder: %w", err)
	}
	return lock, nil
}

// openLock opens the file; bbolt panics on some broken ones.
func openLock(path string) (db *bbolt.DB, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("journal: broken lock file: %v", r)
		}
	}()
	return bbolt.Open(path, 0o600, &bbolt.Options{Timeout: time.Second})
}
