package diskwatch

import (
	"errors"
	"os"
	"syscall"
)

// allocate gives f real blocks.
func allocate(f *os.File, size int64) error {
	for {
		err := syscall.Fallocate(int(f.Fd()), 0, 0, size)
		switch {
		case errors.Is(err, syscall.EINTR):
		case errors.Is(err, syscall.EOPNOTSUPP), errors.Is(err, syscall.ENOSYS):
			return fill(f, size)
		default:
			return err
		}
	}
}
