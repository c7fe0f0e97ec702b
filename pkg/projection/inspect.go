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

// lockTimeout is how long an open waits for a file's lock; bbolt's zero waits for
// ever. shortLock is for readers, who do without.
const (
	lockTimeout = time.Second
	shortLock   = 50 * time.Millisecond
)

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

// walk reads every entry and proves it; a file of an earlier layout has nothing
// to prove it by.
func walk(tx *bolt.Tx, size int64) error {
	if tx.Size() > size {
		return fmt.Errorf("%w: %d bytes are left of %d", ErrDamaged, size, tx.Size())
	}
	switch k, _ := tx.Cursor().First(); {
	case k == nil:
		return nil // new
	case tx.Bucket([]byte(state)) != nil:
		return prove(tx)
	case tx.Bucket([]byte(oldMeta)) == nil:
		return fmt.Errorf("%w: not a projection", ErrDamaged)
	}
	return tx.ForEach(func(_ []byte, b *bolt.Bucket) error {
		return b.ForEach(func(_, _ []byte) error { return nil })
	})
}

// safely turns bbolt's panics on broken pages, and the faults of a file that
// became shorter than its mapping, into errors.
func safely(fn func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%w: %v", ErrDamaged, r)
		}
	}()
	return fn()
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
