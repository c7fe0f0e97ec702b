//go:build linux || darwin

package diskwatch

import (
	"fmt"
	"syscall"
)

// space is how many bytes are free for who is not the administrator, and in all.
func space(dir string) (free, total int64, err error) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(dir, &s); err != nil {
		return -1, -1, fmt.Errorf("diskwatch: free space: %w", err)
	}
	size := int64(s.Bsize)                                     //nolint:unconvert // of another type elsewhere
	return int64(s.Bavail) * size, int64(s.Blocks) * size, nil //nolint:gosec // no disk is that large
}
