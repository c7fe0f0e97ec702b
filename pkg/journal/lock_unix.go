//go:build unix

package journal

import (
	"errors"
	"os"
	"syscall"

	berrors "go.etcd.io/bbolt/errors"
)

// emptyLock empties a broken lock file, under its own lock: whoever holds it
// keeps it, and whoever opens it meanwhile opens the same file.
func emptyLock(path string) (err error) {
	f, err := os.OpenFile(path, os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil { //nolint:gosec // a descriptor fits
		return berrors.ErrTimeout
	}
	return f.Truncate(0)
}
