// Package archivetest checks implementations of archive.Store, and has one in
// memory that behaves as an object store.
//
// It must never be linked into a program.
package archivetest

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/skaldrpg/skald/pkg/archive"
)

// Bucket is an object store in memory: objects are replaced whole.
type Bucket struct {
	mu      sync.Mutex
	objects map[string][]byte
	fail    func(op, name string) error
}

var _ archive.Store = (*Bucket)(nil)

// NewBucket is an empty one.
func NewBucket() *Bucket { return &Bucket{objects: map[string][]byte{}} }

// Fail has every operation ask fn first: put, append, sync, remove, get, list.
func (b *Bucket) Fail(fn func(op, name string) error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.fail = fn
}

// Change alters an object behind everybody's back; nil removes it.
func (b *Bucket) Change(name string, fn func([]byte) []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if out := fn(slices.Clone(b.objects[name])); out != nil {
		b.objects[name] = out
	} else {
		delete(b.objects, name)
	}
}

func (b *Bucket) begin(ctx context.Context, op, name string) error {
	if b.fail != nil {
		if err := b.fail(op, name); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// List is Store.List.
func (b *Bucket) List(ctx context.Context, prefix string) ([]archive.Object, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.begin(ctx, "list", prefix); err != nil {
		return nil, err
	}
	var out []archive.Object
	for name, data := range b.objects { // order-free: sorted below
		if strings.HasPrefix(name, prefix) {
			out = append(out, archive.Object{Name: name, Size: int64(len(data))})
		}
	}
	slices.SortFunc(out, func(x, y archive.Object) int { return strings.Compare(x.Name, y.Name) })
	return out, nil
}

// Get is Store.Get.
func (b *Bucket) Get(ctx context.Context, name string) (io.ReadCloser, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.begin(ctx, "get", name); err != nil {
		return nil, err
	}
	data, ok := b.objects[name]
	if !ok {
		return nil, fmt.Errorf("%w: %s", archive.ErrNotFound, name)
	}
	return io.NopCloser(bytes.NewReader(data)), nil
}

// Put is Store.Put.
func (b *Bucket) Put(ctx context.Context, name string, data []byte) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.begin(ctx, "put", name); err != nil {
		return err
	}
	b.objects[name] = slices.Clone(data)
	return nil
}

// Append is Store.Append.
func (b *Bucket) Append(ctx context.Context, name string, at int64, data []byte) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.begin(ctx, "append", name); err != nil {
		return err
	}
	old, ok := b.objects[name]
	if int64(len(old)) != at || !ok && at > 0 {
		return fmt.Errorf("%w: %s has %d bytes, expected %d", archive.ErrMoved, name, len(old), at)
	}
	b.objects[name] = slices.Concat(old, data)
	return nil
}

// Sync is Store.Sync.
func (b *Bucket) Sync(ctx context.Context, name string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.begin(ctx, "sync", name)
}

// Remove is Store.Remove.
func (b *Bucket) Remove(ctx context.Context, name string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.begin(ctx, "remove", name); err != nil {
		return err
	}
	delete(b.objects, name)
	return nil
}
