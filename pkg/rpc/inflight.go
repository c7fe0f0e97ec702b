package rpc

import (
	"context"
	"sync"
)

// inflight are the direct calls of a server, of which no listener knows.
type inflight struct {
	mu    sync.Mutex
	calls map[*context.CancelFunc]struct{}
	ended chan struct{} // closed when it has ended and no call is left
	over  bool
	once  sync.Once
}

func newInflight() *inflight {
	return &inflight{calls: map[*context.CancelFunc]struct{}{}, ended: make(chan struct{})}
}

// enter begins a call; leave, which ends its context, is nil when there are to be no
// more.
func (f *inflight) enter(ctx context.Context) (_ context.Context, leave func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.over {
		return ctx, nil
	}
	ctx, cancel := context.WithCancel(ctx)
	f.calls[&cancel] = struct{}{}
	return ctx, func() {
		cancel()
		f.mu.Lock()
		defer f.mu.Unlock()
		delete(f.calls, &cancel)
		f.check()
	}
}

// check tells whoever waits that the last call has ended; mu is held.
func (f *inflight) check() {
	if f.over && len(f.calls) == 0 {
		f.once.Do(func() { close(f.ended) })
	}
}

// end lets no more calls in and tells when the last has ended.
func (f *inflight) end() <-chan struct{} {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.over = true
	f.check()
	return f.ended
}

// cut ends the contexts of the calls that are left.
func (f *inflight) cut() {
	f.mu.Lock()
	defer f.mu.Unlock()
	// order-free: all are ended
	for cancel := range f.calls {
		(*cancel)()
	}
}
