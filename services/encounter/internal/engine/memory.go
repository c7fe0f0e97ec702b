package engine

import (
	"context"
	"fmt"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/ops"
)

// hold finds a fight in memory, or makes it from the projection and the log, and
// keeps it there until release is called, once. It may be of an encounter that
// does not exist yet.
func (e *Engine) hold(ctx context.Context, table, id string) (f *Fight, release func(), err error) {
	n, err := named(table, id)
	if err != nil {
		return nil, nil, err
	}
	f, release, err = e.fights.Hold(ctx, n, func(ctx context.Context) (*Fight, error) { return e.make(ctx, n) })
	if err != nil {
		return nil, nil, err
	}
	e.keepUp(ctx, f) // what the tail saw while it was being loaded may not be in it
	if err := f.Broken(); err != nil {
		release()
		return nil, nil, err
	}
	return f, release, nil
}

// Part is how the fights in memory stand.
func (e *Engine) Part() ops.Part {
	held := e.fights.Held()
	e.mu.Lock()
	defer e.mu.Unlock()
	return ops.Part{Name: "fights", Text: fmt.Sprintf("%d fights in %d of %d MiB", held.Values, held.Bytes>>20, e.cfg.Memory>>20), Figures: []ops.Figure{
		{Name: "fights_in_memory", Help: "Fights in memory.", Value: float64(held.Values)},
		{Name: "fights_bytes", Help: "What fights in memory take, as estimated.", Value: float64(held.Bytes)},
		{Name: "fights_budget_bytes", Help: "What fights in memory may take (--fight-memory).", Value: float64(e.cfg.Memory)},
		{Name: "fights_evicted", Help: "Fights that were let go to make room since the start.", Value: float64(held.Evicted)},
		{Name: "fights_watched", Help: "Encounters that somebody watches, in memory or not.", Value: float64(len(e.watched))},
	}}
}

// signal wakes who waits for an encounter to change.
type signal struct {
	waiting int
	changed chan struct{}
}

// Watched is the wish to hear of changes of an encounter, whether it is in memory
// or not. Nothing but a few words is kept for it.
type Watched struct {
	e   *Engine
	key aggregate.Name
}

// Watched begins to listen; Close ends it.
func (e *Engine) Watched(table, id string) *Watched {
	w := &Watched{e, aggregate.Name{Table: table, Kind: aggregate.Encounter, ID: id}}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.watched[w.key] == nil {
		e.watched[w.key] = &signal{changed: make(chan struct{})}
	}
	e.watched[w.key].waiting++
	return w
}

// Changed is closed when the encounter changes: hold and read it then. It may be
// closed for nothing.
func (w *Watched) Changed() <-chan struct{} {
	w.e.mu.Lock()
	defer w.e.mu.Unlock()
	return w.e.watched[w.key].changed
}

// Close ends the listening. It is called once.
func (w *Watched) Close() {
	w.e.mu.Lock()
	defer w.e.mu.Unlock()
	if s := w.e.watched[w.key]; s.waiting > 1 {
		s.waiting--
		return
	}
	delete(w.e.watched, w.key)
}

// stir wakes who watches an encounter.
func (e *Engine) stir(key aggregate.Name) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.stirLocked(key)
}

func (e *Engine) stirLocked(key aggregate.Name) {
	if s := e.watched[key]; s != nil {
		close(s.changed)
		s.changed = make(chan struct{})
	}
}

// Follow takes a record that the tail saw: a fight that is in memory is brought
// up to it, and who watches one that is not is woken.
func (e *Engine) Follow(ctx context.Context, rec journal.Record) {
	n, ok := aggregate.Parse(rec.Subject)
	if !ok {
		return
	}
	there := make(chan *Fight, 1)
	e.fights.With(n, func(is *Fight) { // a fight that is being loaded hears of it when it is there
		is.seen(rec.Seq)
		there <- is
	})
	select {
	case f := <-there:
		e.keepUp(ctx, f)
	default:
		e.stir(n)
	}
}

// FollowAll does what Follow does for every fight, for when records were passed
// over.
func (e *Engine) FollowAll(ctx context.Context) {
	for _, f := range e.fights.All() {
		f.seen(f.sequence.Load() + 1)
		e.keepUp(ctx, f)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	// order-free: each is woken by itself
	for key := range e.watched {
		e.stirLocked(key)
	}
}

// keepUp brings a fight up to what the tail saw of it. When somebody works with
// it the next sweep does.
func (e *Engine) keepUp(ctx context.Context, f *Fight) {
	if !f.behind() || !f.execute.TryLock() {
		return
	}
	defer f.execute.Unlock()
	heard := f.heard.Load()
	if err := e.catchUp(ctx, f); err != nil {
		if ctx.Err() == nil && f.Broken() == nil {
			e.cfg.Logger.Error("following the log", "encounter", f.id, "error", err)
		}
		return
	}
	f.heard.CompareAndSwap(heard, 0) // FollowAll only supposes that there is more
}
