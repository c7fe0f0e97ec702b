package archive

import (
	"context"
	"errors"
	"io"
)

var (
	// ErrNotFound: the store has no object of that name.
	ErrNotFound = errors.New("archive: no such object")
	// ErrMoved: an object does not end where an Append was to begin; somebody
	// else writes to the archive, or the store lost something.
	ErrMoved = errors.New("archive: object has another size than expected")
	// ErrDamaged wraps what is wrong with an object.
	ErrDamaged = errors.New("archive: damaged")
	// ErrDiffers: the log does not hold what the archive holds. Both are kept.
	ErrDiffers = errors.New("archive: the log is not the one archived")
	// ErrEmpty: there is no archive.
	ErrEmpty = errors.New("archive: empty")
	// ErrLocked: another process writes to the folder.
	ErrLocked = errors.New("archive: another process writes here")
)

// Object is one in a store.
type Object struct {
	Name string
	Size int64 // bytes
}

// Store keeps named objects: a folder, a bucket. Names are one or more parts
// joined by "/". Every method honours its context and is safe for concurrent use.
type Store interface {
	// List tells of every object whose name begins with prefix, in order of names.
	List(ctx context.Context, prefix string) ([]Object, error)
	// Get reads an object; ErrNotFound when there is none.
	Get(ctx context.Context, name string) (io.ReadCloser, error)
	// Put stores an object whole, in the place of one that may be there. After a
	// failure or a kill the object is what it was before, or what was put.
	Put(ctx context.Context, name string, data []byte) error
	// Append adds to an object that has at bytes, and makes it where at is 0 and
	// there is none; ErrMoved when it has another size. After a kill a part of
	// data may be there. A store without appending puts the whole object again:
	// open segments are small.
	Append(ctx context.Context, name string, at int64, data []byte) error
	// Sync returns when what was appended to an object outlives a power cut.
	Sync(ctx context.Context, name string) error
	// Remove takes an object away; it is no error when there is none.
	Remove(ctx context.Context, name string) error
}
