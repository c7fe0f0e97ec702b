package archive

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"
)

const (
	lockFile  = "archive.lock"
	tempParts = ".part" // ends the names of files that are not whole yet
)

// Folder is a Store in a folder of files.
type Folder struct {
	dir   string
	write bool

	mu   sync.Mutex
	lock *bbolt.DB
}

var _ Store = (*Folder)(nil)

// ReadFolder is a folder to read from; it may not exist. Writing to it fails.
func ReadFolder(dir string) *Folder { return &Folder{dir: dir} }

// OpenFolder makes the folder where there is none, and keeps other processes from
// writing to it until Close. ErrLocked when one does.
func OpenFolder(dir string) (*Folder, error) {
	f := LaterFolder(dir)
	return f, f.writable()
}

// LaterFolder is a folder that is made, and closed to others, by the first write:
// its disk may be missing until then.
func LaterFolder(dir string) *Folder { return &Folder{dir: dir, write: true} }

// writable takes the lock at the first write.
func (f *Folder) writable() error {
	if !f.write {
		return errors.New("archive: folder is open for reading only")
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.lock != nil {
		return nil
	}
	if err := os.MkdirAll(f.dir, 0o700); err != nil {
		return fmt.Errorf("archive: %w", err)
	}
	lock, err := bbolt.Open(filepath.Join(f.dir, lockFile), 0o600, &bbolt.Options{Timeout: time.Second})
	if errors.Is(err, berrors.ErrTimeout) {
		return fmt.Errorf("%w: %s", ErrLocked, f.dir)
	}
	if err != nil {
		return fmt.Errorf("archive: lock of %s: %w", f.dir, err)
	}
	f.lock = lock
	return nil
}

// Close lets others write.
func (f *Folder) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.lock == nil {
		return nil
	}
	lock := f.lock
	f.lock = nil
	return lock.Close()
}

// Dir is where the folder is.
func (f *Folder) Dir() string { return f.dir }

func (f *Folder) path(name string) (string, error) {
	if !filepath.IsLocal(name) || name == lockFile || strings.HasSuffix(name, tempParts) {
		return "", fmt.Errorf("archive: bad object name %q", name)
	}
	return filepath.Join(f.dir, filepath.FromSlash(name)), nil
}

// List is Store.List.
func (f *Folder) List(ctx context.Context, prefix string) ([]Object, error) {
	var out []Object
	err := filepath.WalkDir(f.dir, func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err == nil {
			err = ctx.Err()
		}
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(f.dir, path)
		if err != nil {
			return err
		}
		name := filepath.ToSlash(rel)
		if name == lockFile || strings.HasSuffix(name, tempParts) || !strings.HasPrefix(name, prefix) {
			return nil
		}
		info, err := d.Info()
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err == nil {
			out = append(out, Object{Name: name, Size: info.Size()})
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("archive: listing %s: %w", f.dir, err)
	}
	return out, nil
}

// Get is Store.Get.
func (f *Folder) Get(ctx context.Context, name string) (io.ReadCloser, error) {
	path, err := f.path(name)
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: %s", ErrNotFound, path)
	}
	if err != nil {
		return nil, fmt.Errorf("archive: %w", err)
	}
	return file, nil
}

// Put is Store.Put: a temporary file, synced, renamed, and the folder synced.
func (f *Folder) Put(ctx context.Context, name string, data []byte) error {
	path, err := f.place(ctx, name)
	if err != nil {
		return err
	}
	file, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*"+tempParts)
	if err != nil {
		return fmt.Errorf("archive: %w", err)
	}
	_, err = file.Write(data)
	if err == nil {
		err = file.Sync()
	}
	err = errors.Join(err, file.Close())
	if err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("archive: writing %s: %w", path, err), os.Remove(file.Name()))
	}
	return syncDir(filepath.Dir(path))
}

// place is where an object goes, its folder made.
func (f *Folder) place(ctx context.Context, name string) (string, error) {
	if err := errors.Join(f.writable(), ctx.Err()); err != nil {
		return "", err
	}
	path, err := f.path(name)
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return "", fmt.Errorf("archive: %w", err)
	}
	return path, nil
}

// Append is Store.Append.
func (f *Folder) Append(ctx context.Context, name string, at int64, data []byte) error {
	path, err := f.place(ctx, name)
	if err != nil {
		return err
	}
	flags := os.O_WRONLY | os.O_APPEND
	if at == 0 {
		flags |= os.O_CREATE
	}
	file, err := os.OpenFile(path, flags, 0o600)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w: %s is gone", ErrMoved, path)
	}
	if err != nil {
		return fmt.Errorf("archive: %w", err)
	}
	info, err := file.Stat()
	switch {
	case err != nil:
	case info.Size() != at:
		err = fmt.Errorf("%w: %d bytes, expected %d", ErrMoved, info.Size(), at)
	default:
		_, err = file.Write(data)
	}
	if err := errors.Join(err, file.Close()); err != nil {
		return fmt.Errorf("archive: appending to %s: %w", path, err)
	}
	if at == 0 {
		return syncDir(filepath.Dir(path))
	}
	return nil
}

// Sync is Store.Sync.
func (f *Folder) Sync(ctx context.Context, name string) error {
	path, err := f.path(name)
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return fmt.Errorf("archive: %w", err)
	}
	if err := errors.Join(file.Sync(), file.Close()); err != nil {
		return fmt.Errorf("archive: syncing %s: %w", path, err)
	}
	return nil
}

// Remove is Store.Remove.
func (f *Folder) Remove(ctx context.Context, name string) error {
	path, err := f.place(ctx, name)
	if err != nil {
		return err
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("archive: %w", err)
	}
	return nil
}

// syncDir makes the names in a folder outlive a power cut.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return fmt.Errorf("archive: %w", err)
	}
	if err := errors.Join(d.Sync(), d.Close()); err != nil {
		return fmt.Errorf("archive: syncing %s: %w", dir, err)
	}
	return nil
}
