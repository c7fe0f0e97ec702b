package master

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// maxFile bounds a key file, bytes: hundreds of keys.
const maxFile = 64 << 10

// Load reads the keys of a file that nobody but its owner may read or write. It
// fails with fs.ErrNotExist when there is no file and with ErrPermissions when
// the file is open to others.
func Load(path string) (*Ring, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("master: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("master: %w", err)
	}
	switch mode := info.Mode(); {
	case !mode.IsRegular():
		return nil, fmt.Errorf("%w: %s is not a file", ErrKeys, path)
	case mode.Perm()&0o177 != 0:
		return nil, fmt.Errorf("%w: %s has mode %04o, must be 0600 or less", ErrPermissions, path, mode.Perm())
	case info.Size() > maxFile:
		return nil, fmt.Errorf("%w: %s has %d bytes", ErrKeys, path, info.Size())
	}
	text, err := io.ReadAll(io.LimitReader(f, maxFile))
	if err != nil {
		return nil, fmt.Errorf("master: %w", err)
	}
	r, err := Parse(string(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return r, nil
}

// Create makes a file with one new random key, readable by its owner alone. It
// returns only when the file is on disk, since roots sealed with a key that a
// power cut took away are lost. An existing file is an error.
func Create(path string, random io.Reader) (*Ring, error) {
	r, err := New(random)
	if err != nil {
		return nil, err
	}
	// Written aside and linked, so that a crash leaves no half file behind that
	// a later start would take for a damaged key.
	tmp, err := os.CreateTemp(filepath.Dir(path), ".key-*") // made with mode 0600
	if err != nil {
		return nil, fmt.Errorf("master: %w", err)
	}
	defer os.Remove(tmp.Name())
	_, err = fmt.Fprintf(tmp, "# Master key of Skald's dice. Whoever reads it can compute every secret roll;\n"+
		"# without it no past roll can be proved. To rotate, put a new key above it.\n%s:%s\n",
		r.current.ID, hex.EncodeToString(r.current.Key[:]))
	if err = errors.Join(err, tmp.Sync(), tmp.Close()); err != nil {
		return nil, fmt.Errorf("master: writing %s: %w", path, err)
	}
	if err := os.Link(tmp.Name(), path); err != nil {
		if errors.Is(err, fs.ErrExist) {
			return nil, fmt.Errorf("master: %s: %w", path, fs.ErrExist)
		}
		return nil, fmt.Errorf("master: %w", err)
	}
	return r, syncDir(filepath.Dir(path))
}

func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return fmt.Errorf("master: %w", err)
	}
	if err := errors.Join(d.Sync(), d.Close()); err != nil {
		return fmt.Errorf("master: %w", err)
	}
	return nil
}
