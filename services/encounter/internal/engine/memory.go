package engine

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync/atomic"

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
	if err := e.deleted(n.Table); err != nil {
		return nil, nil, err
	}
	f, release, err = e.fights.Hold(ctx, n, func(ctx context.Context) (*Fight, error) { return e.make(ctx, n) })
	if err != nil {
		return nil, nil, err
	}
	if f.owed.Load() > f.sequence.Load() {
		e.payUp(ctx, f)
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
	waiting int // guarded by Engine.mu
	now     atomic.Pointer[Change]
}

// Change is where the changes of an encounter stand.
type Change struct {
	// Number grows with every change.
	Number uint64
	// Next is closed when the next one comes: hold and read the encounter then. It
	// may be closed for nothing.
	Next <-chan struct{}

	next chan struct{} // Next
}

// wake are the changes that have a next one: closing them wakes everybody who waits,
// which is done without a lock.
type wake []*Change

func (w wake) up() {
	for _, c := range w {
		close(c.next)
	}
}

// Watched is the wish to hear of changes of an encounter, whether it is in memory
// or not. Nothing but a few words is kept for it.
type Watched struct {
	e      *Engine
	key    aggregate.Name
	signal *signal
}

// Watched begins to listen; Close ends it.
func (e *Engine) Watched(table, id string) *Watched {
	w := &Watched{e: e, key: aggregate.Name{Table: table, Kind: aggregate.Encounter, ID: id}}
	e.mu.Lock()
	defer e.mu.Unlock()
	if w.signal = e.watched[w.key]; w.signal == nil {
		w.signal = &signal{}
		e.watched[w.key] = w.signal
		e.changedLocked(w.signal)
	}
	w.signal.waiting++
	return w
}

// Now is where the changes stand; who reads the encounter after asking has read all
// of them. Nobody waits for anybody.
func (w *Watched) Now() *Change { return w.signal.now.Load() }

// Close ends the listening. It is called once.
func (w *Watched) Close() {
	w.e.mu.Lock()
	defer w.e.mu.Unlock()
	if w.signal.waiting--; w.signal.waiting == 0 {
		delete(w.e.watched, w.key)
	}
}

// stir wakes who watches an encounter.
func (e *Engine) stir(key aggregate.Name) {
	var w wake
	e.mu.Lock()
	if s := e.watched[key]; s != nil {
		w = wake{e.changedLocked(s)}
	}
	e.mu.Unlock()
	w.up()
}

// stirAll wakes who watches any encounter that is meant.
func (e *Engine) stirAll(meant func(aggregate.Name) bool) {
	var w wake
	e.mu.Lock()
	// order-free: each is woken by itself
	for key, s := range e.watched {
		if meant(key) {
			w = append(w, e.changedLocked(s))
		}
	}
	e.mu.Unlock()
	w.up()
}

// changedLocked gives a change its number, which no other of any encounter has, and
// returns the one before.
func (e *Engine) changedLocked(s *signal) (was *Change) {
	e.changes++
	next := make(chan struct{})
	return s.now.Swap(&Change{Number: e.changes, Next: next, next: next})
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

// payUp brings a fight up to a ruling that was answered as done. It waits for who works
// with the fight: whoever has the answer reads what the ruling made of it.
func (e *Engine) payUp(ctx context.Context, f *Fight) {
	f.execute.Lock()
	defer f.execute.Unlock()
	e.kept(ctx, f)
}

// FollowAll does what Follow does for every fight, for when records were passed
// over.
func (e *Engine) FollowAll(ctx context.Context) {
	for _, f := range e.fights.All() {
		f.seen(f.sequence.Load() + 1)
		e.keepUp(ctx, f)
	}
	e.stirAll(func(aggregate.Name) bool { return true })
}

// keepUp brings a fight up to what the tail saw of it. When somebody works with
// it, or the log does not answer, the next sweep does.
func (e *Engine) keepUp(ctx context.Context, f *Fight) {
	if !f.behind() {
		return
	}
	if f.execute.TryLock() {
		func() {
			defer f.execute.Unlock()
			e.kept(ctx, f)
		}()
	}
	if f.behind() && f.Broken() == nil {
		e.mu.Lock()
		e.late[f.name] = true
		e.mu.Unlock()
	}
}

// lateOnes are the fights that keepUp left behind since it was asked last.
func (e *Engine) lateOnes() []aggregate.Name {
	e.mu.Lock()
	defer e.mu.Unlock()
	out := slices.Collect(maps.Keys(e.late)) // order-free: each is kept up by itself
	clear(e.late)
	return out
}

// kept is keepUp for who holds the fight.
func (e *Engine) kept(ctx context.Context, f *Fight) {
	heard := f.heard.Load()
	if err := e.catchUp(ctx, f); err != nil {
		if ctx.Err() == nil && f.Broken() == nil {
			e.cfg.Logger.Error("following the log", "encounter", f.id, "error", err)
		}
		return
	}
	f.heard.CompareAndSwap(heard, 0) // FollowAll only supposes that there is more
}
