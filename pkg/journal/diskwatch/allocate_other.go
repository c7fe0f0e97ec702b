//go:build !linux

package diskwatch

import "os"

// allocate gives f real blocks.
func allocate(f *os.File, size int64) error { return fill(f, size) }
