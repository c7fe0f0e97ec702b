//go:build !linux && !darwin

package diskwatch

// space is not told here: a full disk is noticed by the small write alone.
func space(string) (free, total int64, err error) { return -1, -1, nil }
