package projection

import (
	"errors"
	"fmt"
	"io/fs"
	"math/bits"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"syscall"
	"time"

	bolt "go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"
)

// lockTimeout is how long an open waits for a file's lock; bbolt's zero waits for ever.
const lockTimeout = time.Second

// mmapSize is the address space reserved at once, in bytes: growing it later
// waits for every reader. On Windows it would be the size of the file.
var mmapSize = func() int {
	if bits.UintSize < 64 || runtime.GOOS == "windows" {
		return 0
	}
	return 1 << 30
}()

// inspect reads the whole file once, read-only and on this goroutine; why is not
// empty when it must be moved aside. Opening for writing scans the pages on a
// goroutine of bbolt's own, where a fault on a truncated file can not be recovered
// from: it would end the process, at every start.
func inspect(path string) (why string, err error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist), err == nil && info.Size() == 0:
		return "", nil // new
	case err != nil:
		return "", fmt.Errorf("projection: %w", err)
	case !info.Mode().IsRegular():
		return "", fmt.Errorf("projection: %s is not a file", path)
	}
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	err = safely(func() error {
		db, err := bolt.Open(path, 0o600, &bolt.Options{ReadOnly: true, Timeout: lockTimeout})
		if err != nil {
			return err
		}
		defer db.Close() //nolint:errcheck // nothing was written
		return db.View(func(tx *bolt.Tx) error { return walk(tx, info.Size()) })
	})
	if err = classify(path, err); errors.Is(err, ErrDamaged) {
		return err.Error(), nil
	}
	return "", err
}

// walk visits every entry.
func walk(tx *bolt.Tx, size int64) error {
	if tx.Size() > size {
		return fmt.Errorf("%w: %d bytes are left of %d", ErrDamaged, size, tx.Size())
	}
	if k, _ := tx.Cursor().First(); k != nil && tx.Bucket([]byte(meta)) == nil {
		return fmt.Errorf("%w: not a projection", ErrDamaged)
	}
	return tx.ForEach(func(_ []byte, b *bolt.Bucket) error {
		return b.ForEach(func(_, _ []byte) error { return nil })
	})
}

// classify tells damage, which is mended by building anew, from a lock and from
// what a person has to see to, as permissions or a full disk.
func classify(path string, err error) error {
	var onPath *fs.PathError
	var errno syscall.Errno
	switch {
	case err == nil, errors.Is(err, ErrDamaged):
		return err
	case errors.Is(err, berrors.ErrTimeout):
		return fmt.Errorf("%w: %s", ErrLocked, path)
	case errors.As(err, &onPath), errors.As(err, &errno):
		return fmt.Errorf("projection: opening: %w", err)
	}
	return fmt.Errorf("%w: %w", ErrDamaged, err)
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// syncDir makes a rename in the file's folder durable.
func syncDir(path string) error {
	d, err := os.Open(filepath.Dir(path))
	if err != nil {
		return fmt.Errorf("projection: %w", err)
	}
	defer d.Close() //nolint:errcheck // read only
	if err := d.Sync(); err != nil && !errors.Is(err, errors.ErrUnsupported) {
		return fmt.Errorf("projection: syncing the folder: %w", err)
	}
	return nil
}
