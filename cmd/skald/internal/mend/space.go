//go:build unix

package mend

import (
	"fmt"
	"syscall"
)

// spare is what stays free, bytes.
const spare = 128 << 20

// room checks that a copy of so many bytes fits beside what is there.
func (m *mender) room(need int64) error {
	var s syscall.Statfs_t
	if err := syscall.Statfs(m.cfg.DataDir, &s); err != nil {
		return fmt.Errorf("mend: %w", err)
	}
	free := int64(s.Bavail) * int64(s.Bsize) //nolint:gosec,unconvert // no disk is that large
	if need += need/4 + spare; free < need {
		return fmt.Errorf("mend: %s has %d MB free, and a new journal beside the old one needs %d MB; nothing was changed", m.cfg.DataDir, free>>20, need>>20)
	}
	return nil
}
