package diskwatch

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// reserveName is the file of the reserve. Who removes it by hand gives it up; it
// comes back when there is room.
const reserveName = "skald.reserve"

// reserve is a file that holds room.
type reserve struct {
	path string
	want int64 // bytes
	have int64 // bytes, a whole reserve or none
}

// find looks whether it is there.
func (r *reserve) find() {
	r.have = 0
	if info, err := os.Stat(r.path); err == nil && info.Size() == r.want {
		r.have = r.want
	}
}

// make fills it. A reserve that is there in part is none.
func (r *reserve) make() error {
	f, err := os.OpenFile(r.path, os.O_CREATE|os.O_RDWR|os.O_TRUNC, 0o600)
	if err != nil {
		return fmt.Errorf("diskwatch: reserve: %w", err)
	}
	err = allocate(f, r.want)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("diskwatch: reserve: %w", errors.Join(err, os.Remove(r.path)))
	}
	r.have = r.want
	return nil
}

// giveUp makes its room free. Emptied first: a folder that can not be written may
// still let its files shrink.
func (r *reserve) giveUp() error {
	err := os.Truncate(r.path, 0)
	if removed := os.Remove(r.path); err != nil {
		err = removed
	}
	if err != nil && !os.IsNotExist(err) {
		return fmt.Errorf("diskwatch: reserve: %w", err)
	}
	r.have = 0
	return nil
}

// fill writes what no disk can make smaller.
func fill(f *os.File, size int64) error {
	noise := rand.NewChaCha8([32]byte{})
	buf := make([]byte, 1<<20)
	for at := int64(0); at < size; at += int64(len(buf)) {
		buf = buf[:min(int64(len(buf)), size-at)]
		noise.Read(buf) //nolint:errcheck // never fails
		if _, err := f.WriteAt(buf, at); err != nil {
			return err
		}
	}
	return nil
}

func reserveIn(dir string, want int64) reserve {
	return reserve{path: filepath.Join(dir, reserveName), want: want}
}
