//go:build linux

// Package disktest gives tests small disks of their own, which can be filled,
// freed and made to stall: mounted for the test, gone after it.
//
// It must never touch a disk that it has not mounted, and must never be part of a
// running service.
package disktest

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// Disk is a mounted file system.
type Disk struct {
	// Dir is where it is mounted.
	Dir string

	tb     testing.TB
	mu     sync.Mutex
	frozen bool
}

const ballast = "ballast"

// Memory mounts a disk of size bytes that is kept in memory.
func Memory(tb testing.TB, size int64) *Disk {
	tb.Helper()
	d := &Disk{Dir: tb.TempDir(), tb: tb}
	d.mount("-t", "tmpfs", "-o", fmt.Sprintf("size=%d", size), "tmpfs")
	return d
}

// Block mounts a disk of size bytes on a file: one that can stall.
func Block(tb testing.TB, size int64) *Disk {
	tb.Helper()
	image := filepath.Join(tb.TempDir(), "image")
	if err := errors.Join(os.WriteFile(image, nil, 0o600), os.Truncate(image, size)); err != nil {
		tb.Fatal(err)
	}
	if out, err := exec.Command("mkfs.ext4", "-q", "-m", "0", image).CombinedOutput(); err != nil {
		tb.Skipf("no file system can be made here: %v %s", err, out)
	}
	d := &Disk{Dir: tb.TempDir(), tb: tb}
	d.mount("-o", "loop", image)
	return d
}

func (d *Disk) mount(args ...string) {
	d.tb.Helper()
	if os.Geteuid() != 0 {
		d.tb.Skip("mounting a disk of its own needs root")
	}
	if out, err := exec.Command("mount", append(args, d.Dir)...).CombinedOutput(); err != nil {
		d.tb.Skipf("nothing can be mounted here: %v %s", err, out)
	}
	d.tb.Cleanup(func() {
		d.Thaw()
		if err := d.unmount(); err != nil {
			d.tb.Error(err)
		}
	})
}

// unmount waits for whatever still holds a file of the disk.
func (d *Disk) unmount() error {
	var err error
	for range 50 {
		if err = syscall.Unmount(d.Dir, 0); err == nil {
			return nil
		}
		time.Sleep(100 * time.Millisecond)
	}
	return errors.Join(fmt.Errorf("disktest: unmounting: %w", err), syscall.Unmount(d.Dir, syscall.MNT_DETACH))
}

// Free is the room left, bytes.
func (d *Disk) Free() int64 {
	var s syscall.Statfs_t
	if err := syscall.Statfs(d.Dir, &s); err != nil {
		d.tb.Error(err)
	}
	return int64(s.Bavail) * s.Bsize //nolint:gosec // small
}

// Fill writes until there is no more room than left bytes, as another program on
// the disk would.
func (d *Disk) Fill(left int64) {
	d.tb.Helper()
	f, err := os.OpenFile(filepath.Join(d.Dir, ballast), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		d.tb.Error(err)
		return
	}
	defer f.Close() //nolint:errcheck // it is ballast
	buf := make([]byte, 1<<20)
	for n := d.Free() - left; n > 0; n = d.Free() - left {
		if _, err := f.Write(buf[:min(n, int64(len(buf)))]); errors.Is(err, syscall.ENOSPC) {
			return
		} else if err != nil {
			d.tb.Error(err)
			return
		}
	}
}

// Empty takes away what Fill wrote.
func (d *Disk) Empty() {
	d.tb.Helper()
	if err := os.Remove(filepath.Join(d.Dir, ballast)); err != nil && !os.IsNotExist(err) {
		d.tb.Error(err)
	}
}

// Freeze makes every write to the disk hang until Thaw.
func (d *Disk) Freeze() {
	d.tb.Helper()
	d.mu.Lock()
	defer d.mu.Unlock()
	if out, err := exec.Command("fsfreeze", "-f", d.Dir).CombinedOutput(); err != nil {
		d.tb.Skipf("a disk can not be frozen here: %v %s", err, strings.TrimSpace(string(out)))
	}
	d.frozen = true
}

// Thaw lets the writes go on; of a disk that is not frozen it does nothing.
func (d *Disk) Thaw() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.frozen {
		return
	}
	d.frozen = false
	if out, err := exec.Command("fsfreeze", "-u", d.Dir).CombinedOutput(); err != nil {
		d.tb.Errorf("disktest: thawing: %v %s", err, out)
	}
}
