package engine

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
)

// Bounds of a sweep over what is due.
const (
	agendaBatch   = 256              // encounters looked up at a time
	agendaSweep   = 16 * agendaBatch // and in one sweep
	agendaWorkers = 4                // that are attended to at a time
	agendaPut     = 4096             // encounters that are put off
	firstPutOff   = time.Second
	lastPutOff    = time.Minute
	attendFor     = 10 * time.Second // for one encounter
)

// agenda is where the sweep over what is due stands. Which encounters are due
// stands in the projection; here is only which of them are put off, since what
// they want could not be done.
type agenda struct {
	after []byte // where the last sweep ended; nil: at the end
	put   map[aggregate.Name]putOff
}

type putOff struct {
	until time.Time
	wait  time.Duration
}

func newAgenda() agenda { return agenda{put: map[aggregate.Name]putOff{}} }

// ready tells whether an encounter is not put off.
func (a *agenda) ready(n aggregate.Name, now time.Time) bool { return !a.put[n].until.After(now) }

// note takes account of whether something was done.
func (a *agenda) note(n aggregate.Name, done bool, now time.Time) {
	if done {
		delete(a.put, n)
		return
	}
	if _, known := a.put[n]; !known && len(a.put) >= agendaPut {
		// order-free: whichever goes is tried again a little early
		for other := range a.put {
			delete(a.put, other)
			break
		}
	}
	wait := min(max(firstPutOff, 2*a.put[n].wait), lastPutOff)
	a.put[n] = putOff{until: now.Add(wait), wait: wait}
}

// prune forgets encounters that were put off and did not come up again.
func (a *agenda) prune(now time.Time) {
	// order-free: each goes by itself
	for n, p := range a.put {
		if now.Sub(p.until) > lastPutOff {
			delete(a.put, n)
		}
	}
}

// attendAll loads the encounters that are due, a few at a time, and does what
// they want. A sweep that is too long for one goes on with the next.
func (e *Engine) attendAll(ctx context.Context, now time.Time) {
	a := &e.agenda
	a.prune(now)
	for looked := 0; looked < agendaSweep && ctx.Err() == nil; looked += agendaBatch {
		due, next, err := e.cfg.Loader.Due(now.UnixMilli(), a.after, agendaBatch)
		if err != nil {
			e.cfg.Logger.Error("reading which encounters are due", "error", err)
			return
		}
		a.after = next
		names := due[:0]
		for _, n := range due {
			if a.ready(n, now) {
				names = append(names, n)
			}
		}
		if !e.attendBatch(ctx, names, now) || next == nil {
			return // nothing works now, or this was all
		}
	}
}

// attendBatch attends to encounters and notes what came of it; false when all of
// them failed.
func (e *Engine) attendBatch(ctx context.Context, names []aggregate.Name, now time.Time) bool {
	done := make([]bool, len(names))
	work := make(chan int)
	var wg sync.WaitGroup
	for range min(agendaWorkers, len(names)) {
		wg.Go(func() { // ends with work
			for i := range work {
				done[i] = e.attend(ctx, names[i], now)
			}
		})
	}
	for i := range names {
		work <- i
	}
	close(work)
	wg.Wait()
	any := len(names) == 0
	for i, n := range names {
		e.agenda.note(n, done[i], now)
		any = any || done[i]
	}
	return any
}

// attend does what one encounter wants; false when nothing came of it.
func (e *Engine) attend(ctx context.Context, n aggregate.Name, now time.Time) bool {
	ctx, cancel := context.WithTimeout(ctx, attendFor)
	defer cancel()
	f, release, err := e.hold(ctx, n.Table, n.ID)
	if err == nil {
		before := f.version.Load()
		err = errors.Join(e.takeDefaults(ctx, f, now), e.makeUp(ctx, f))
		moved := f.version.Load() > before
		release()
		if err == nil {
			return moved // if not, somebody else did it, and the projection lags
		}
	}
	if fault.Is(err, fault.Broken) {
		return false // it is closed, and that was said
	}
	level := e.cfg.Logger.Warn
	if errors.Is(err, event.ErrBroken) || fault.Is(err, fault.Internal) {
		level = e.cfg.Logger.Error
	}
	if !errors.Is(err, context.Canceled) {
		level("what an encounter wanted could not be done yet", "table", n.Table, "encounter", n.ID, "error", err)
	}
	return false
}
