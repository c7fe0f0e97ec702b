package journal

import (
	"context"
	"errors"
	"sync"
	"time"
)

// Gate says whether a store may be used now. Each answer is a context that is open
// as long as it may; when it ends, its cause says why not, wrapping ErrFull,
// ErrStalled, ErrUnwritable or ErrUnavailable. After that, ask again.
type Gate interface {
	// Appending is about new records.
	Appending() context.Context
	// Reading is about what is stored.
	Reading() context.Context
}

const (
	// appendGrace is what an append that was sent gets when the gate closes.
	appendGrace = 300 * time.Millisecond
	// stallGrace is the same where the disk does not answer.
	stallGrace = 50 * time.Millisecond
	// readGrace is what a read gets while the gate is closed.
	readGrace = 250 * time.Millisecond
)

// alwaysOpen is the gate of a store that nobody watches.
type alwaysOpen struct{}

func (alwaysOpen) Appending() context.Context { return context.Background() }
func (alwaysOpen) Reading() context.Context   { return context.Background() }

// while is ctx until the gate has been closed for grace; leave lets go of it.
func while(ctx, gate context.Context, grace time.Duration) (_ context.Context, leave func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(gate, func() { // ends with ctx, within grace at the latest
		if errors.Is(context.Cause(gate), ErrStalled) {
			grace = min(grace, stallGrace)
		}
		t := time.NewTimer(grace)
		defer t.Stop()
		select {
		case <-t.C:
			cancel(context.Cause(gate))
		case <-ctx.Done():
		}
	})
	return ctx, func() {
		stop()
		cancel(nil)
	}
}

// door is a Gate that is opened and closed by its owner.
type door struct {
	mu             sync.Mutex
	appends, reads leaf
}

type leaf struct {
	ctx    context.Context
	cancel context.CancelCauseFunc
}

// set closes the leaf with err, or opens it when that is nil.
func (l *leaf) set(err error) {
	if l.ctx == nil || err == nil && l.ctx.Err() != nil || err != nil && l.ctx.Err() != nil && context.Cause(l.ctx).Error() != err.Error() {
		l.ctx, l.cancel = context.WithCancelCause(context.Background())
	}
	if err != nil {
		l.cancel(err)
	}
}

func newDoor() *door {
	d := &door{}
	d.set(nil, nil)
	return d
}

func (d *door) set(appending, reading error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.appends.set(appending)
	d.reads.set(reading)
}

func (d *door) Appending() context.Context {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.appends.ctx
}

func (d *door) Reading() context.Context {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.reads.ctx
}
