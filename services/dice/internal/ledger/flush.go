package ledger

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/skaldrpg/skald/pkg/fault"
	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
	"github.com/skaldrpg/skald/services/dice/internal/record"
)

// Waits between attempts to append queued tapes while the store fails.
const (
	firstWait = 50 * time.Millisecond
	lastWait  = 5 * time.Second
	// gatherFor is how long tapes may wait for others before they are appended, and
	// how much longer when those of several encounters do.
	gatherFor = 20 * time.Millisecond
)

// enqueue puts a tape into the queue; the caller holds e.mu. It tells whether
// the caller must report e to markDirty once it has let go of e.mu.
func (l *Ledger) enqueue(e *encounter, id record.TapeID) (report bool) {
	e.tapes[id] = false
	e.queue = append(e.queue, &dicev1.RecordEntry{UnixMillis: l.cfg.Clock().UnixMilli(),
		What: &dicev1.RecordEntry_Tape{Tape: id.Opened()}})
	report = !e.queued
	e.queued = true
	return report
}

// markDirty hands an encounter with a queue to Run. Ledger.mu comes before
// encounter.mu, so that the caller must not hold the latter.
func (l *Ledger) markDirty(e *encounter) {
	l.mu.Lock()
	l.dirty = append(l.dirty, e)
	l.mu.Unlock()
	l.poke()
}

func (l *Ledger) poke() {
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// gather lets tapes queue up for a moment: each append is a sync that competes
// with those of the Commits for which the faces were drawn. Where many encounters
// have some, a further moment lets them go together.
func (l *Ledger) gather(ctx context.Context) {
	timer := time.NewTimer(gatherFor)
	defer timer.Stop()
	for again := true; ; again = false {
		select {
		case <-timer.C:
		case <-ctx.Done():
			return
		}
		l.mu.Lock()
		n := len(l.dirty)
		l.mu.Unlock()
		if !again || n < togetherLeast/2 || n >= togetherMost {
			return
		}
		timer.Reset(gatherFor)
	}
}

// Run appends queued tapes until ctx ends. While the store fails it tries again,
// less and less often, and Err says so.
func (l *Ledger) Run(ctx context.Context) {
	wait := firstWait
	for {
		select {
		case <-ctx.Done():
			return
		case <-l.wake:
		}
		l.gather(ctx)
		err := l.flush(ctx)
		if err == nil {
			wait = firstWait
			continue
		}
		l.cfg.Logger.WarnContext(ctx, "dice: tapes are not on the log yet", "error", err, "next", wait)
		timer := time.NewTimer(wait)
		select {
		case <-ctx.Done():
			timer.Stop()
			return
		case <-timer.C:
		}
		wait = min(2*wait, lastWait)
		l.poke()
	}
}

// flush appends what every dirty encounter has queued. What failed stays dirty.
func (l *Ledger) flush(ctx context.Context) error {
	l.mu.Lock()
	dirty := l.dirty
	l.dirty, l.writing = nil, len(dirty)
	l.mu.Unlock()
	var failed []*encounter
	var failing error
	done := func(e *encounter, err error) {
		if err == nil || fault.Is(err, fault.Broken) { // closed: there is nothing left to append
			l.live.Settle(e.name)
			l.mu.Lock()
			l.writing--
			l.mu.Unlock()
			return
		}
		failing = fmt.Errorf("%s: %w", e.name, err)
		e.mu.Lock()
		if !e.queued {
			e.queued = true
			failed = append(failed, e)
		}
		e.mu.Unlock()
	}
	for some := range slices.Chunk(dirty, togetherMost) {
		var open []*encounter
		for _, e := range some {
			e.mu.Lock()
			e.queued = false // draws from here on report anew
			e.mu.Unlock()
			if l.buried(e) {
				done(e, nil)
			} else {
				open = append(open, e)
			}
		}
		for _, e := range l.together(ctx, open, done) {
			done(e, l.write(ctx, e, nil))
		}
	}
	l.mu.Lock()
	changed := (l.failing == nil) != (failing == nil)
	l.failing, l.writing = failing, 0
	l.dirty = append(l.dirty, failed...)
	l.mu.Unlock()
	if changed && l.cfg.Changed != nil {
		l.cfg.Changed(failing)
	}
	return failing
}

// Err is why queued tapes are not on the log, if the last attempt failed.
func (l *Ledger) Err() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.failing
}

// Close appends what is queued. Draws must have ended, and Run as well.
func (l *Ledger) Close(ctx context.Context) error {
	if err := l.flush(ctx); err != nil {
		return fmt.Errorf("ledger: tapes lost: %w", err)
	}
	return nil
}
