package engine

import (
	"container/list"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/ops"
)

const (
	loadingBytes = 1 << 10 // what a slot counts for before its fight is there
	maxLooked    = 64      // slots that one call looks at to make room
)

// slot is a place in memory for a fight, so that it is loaded once and stays
// while somebody works with it. All but ready is guarded by Engine.mu.
type slot struct {
	name  Name
	ready chan struct{} // closed when fight or err is set
	fight *Fight
	err   error
	users int   // calls that hold it
	bytes int64 // as counted in Engine.bytes
	used  time.Time
	news  bool          // the tail saw a record while the fight was being loaded
	place *list.Element // in Engine.order; nil when it is no longer in memory
}

func (n Name) key() string { return n.Table + "/" + n.Encounter }

// hold finds a fight in memory, or makes it from the projection and the log, and
// keeps it there until release is called, once. It may be of an encounter that
// does not exist yet.
func (e *Engine) hold(ctx context.Context, table, id string) (f *Fight, release func(), err error) {
	n, err := named(table, id)
	if err != nil {
		return nil, nil, err
	}
	for {
		s, mine := e.occupy(n)
		if mine {
			e.fill(ctx, s)
		}
		select {
		case <-s.ready:
		case <-ctx.Done():
			e.release(s)
			return nil, nil, ctx.Err()
		}
		if s.err == nil {
			return s.fight, func() { e.release(s) }, nil
		}
		err := s.err
		e.release(s)
		if mine || !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded) {
			return nil, nil, err
		} // another call gave up loading it, not this one
	}
}

// occupy finds or makes the slot of an encounter and counts a user more. mine
// tells that the caller has to fill it.
func (e *Engine) occupy(n Name) (s *slot, mine bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	s = e.fights[n.key()]
	if s == nil {
		s, mine = &slot{name: n, ready: make(chan struct{}), bytes: loadingBytes}, true
		s.place = e.order.PushFront(s)
		e.fights[n.key()] = s
		e.bytes += s.bytes
	}
	e.order.MoveToFront(s.place)
	s.users++
	return s, mine
}

// fill loads the fight of a slot.
func (e *Engine) fill(ctx context.Context, s *slot) {
	f, err := e.make(ctx, s.name)
	e.mu.Lock()
	for err == nil && s.news { // what the tail saw meanwhile may not be in it yet
		s.news = false
		e.mu.Unlock()
		err = e.follow(ctx, f)
		e.mu.Lock()
	}
	defer e.mu.Unlock()
	if s.fight, s.err = f, err; err != nil {
		s.fight = nil
		e.drop(s)
	}
	close(s.ready)
}

// release ends a use of a slot. What nobody uses may go: fights of encounters that
// do not exist at once, the others when room is needed.
func (e *Engine) release(s *slot) {
	e.mu.Lock()
	defer e.mu.Unlock()
	s.users--
	s.used = e.cfg.Clock()
	if s.place == nil || s.fight == nil {
		return
	}
	e.weigh(s)
	if s.users == 0 && s.fight.version.Load() == 0 {
		e.drop(s)
	}
	e.trim()
}

// weigh counts a fight for what it takes now. e.mu is held.
func (e *Engine) weigh(s *slot) {
	now := s.fight.bytes.Load()
	e.bytes += now - s.bytes
	s.bytes = now
}

// drop takes a slot out of memory. e.mu is held.
func (e *Engine) drop(s *slot) {
	if s.place == nil {
		return
	}
	e.order.Remove(s.place)
	s.place = nil
	delete(e.fights, s.name.key())
	e.bytes -= s.bytes
}

// trim makes room: fights held longest ago go first, those in use stay, and are
// put in front, so that one call looks at few. e.mu is held.
func (e *Engine) trim() {
	for looked := 0; looked < maxLooked && e.bytes > e.cfg.Memory; looked++ {
		el := e.order.Back()
		if el == nil {
			return
		}
		s := el.Value.(*slot)
		if s.users > 0 {
			e.order.MoveToFront(el)
			continue
		}
		e.drop(s)
		e.evicted++
	}
}

// dropIdle takes fights out of memory that nobody asked for in a long time.
func (e *Engine) dropIdle(now time.Time) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for el := e.order.Back(); el != nil; {
		s, before := el.Value.(*slot), el.Prev()
		if s.users == 0 {
			if now.Sub(s.used) <= e.cfg.KeepIdle {
				return // those before it were held later
			}
			e.drop(s)
		}
		el = before
	}
}

// Part is how the fights in memory stand.
func (e *Engine) Part() ops.Part {
	e.mu.Lock()
	defer e.mu.Unlock()
	return ops.Part{Name: "fights", Text: fmt.Sprintf("%d fights in %d of %d MiB", len(e.fights), e.bytes>>20, e.cfg.Memory>>20), Figures: []ops.Figure{
		{Name: "fights_in_memory", Help: "Fights in memory.", Value: float64(len(e.fights))},
		{Name: "fights_bytes", Help: "What fights in memory take, as estimated.", Value: float64(e.bytes)},
		{Name: "fights_budget_bytes", Help: "What fights in memory may take (--fight-memory).", Value: float64(e.cfg.Memory)},
		{Name: "fights_evicted", Help: "Fights that were let go to make room since the start.", Value: float64(e.evicted)},
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
	key string
}

// Watched begins to listen; Close ends it.
func (e *Engine) Watched(table, id string) *Watched {
	w := &Watched{e, Name{table, id}.key()}
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
func (e *Engine) stir(key string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.stirLocked(key)
}

func (e *Engine) stirLocked(key string) {
	if s := e.watched[key]; s != nil {
		close(s.changed)
		s.changed = make(chan struct{})
	}
}

// Follow takes a record that the tail saw: a fight that is in memory is brought
// up to it, and who watches one that is not is woken.
func (e *Engine) Follow(ctx context.Context, rec journal.Record) {
	parts := strings.Split(rec.Subject, ".")
	if len(parts) != 5 {
		return
	}
	e.mu.Lock()
	s := e.fights[Name{parts[2], parts[4]}.key()]
	if s == nil || s.fight == nil {
		if s != nil {
			s.news = true
		}
		e.stirLocked(Name{parts[2], parts[4]}.key())
		e.mu.Unlock()
		return
	}
	f := s.fight
	e.mu.Unlock()
	f.seen(rec.Seq)
	e.catchUp(ctx, f)
}

// FollowAll does what Follow does for every fight, for when records were passed
// over.
func (e *Engine) FollowAll(ctx context.Context) {
	for _, f := range e.inMemory() {
		f.seen(f.sequence.Load() + 1)
		e.catchUp(ctx, f)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	// order-free: each is woken by itself
	for key := range e.watched {
		e.stirLocked(key)
	}
}

func (e *Engine) inMemory() []*Fight {
	e.mu.Lock()
	defer e.mu.Unlock()
	out := make([]*Fight, 0, len(e.fights))
	// order-free: fights do not touch each other
	for _, s := range e.fights {
		if s.fight != nil {
			out = append(out, s.fight)
		}
	}
	return out
}

// catchUp brings a fight up to what the tail saw of it. When somebody works with
// it the next sweep does.
func (e *Engine) catchUp(ctx context.Context, f *Fight) {
	if !f.behind() || !f.execute.TryLock() {
		return
	}
	defer f.execute.Unlock()
	heard := f.heard.Load()
	if err := f.catchUp(ctx, e.cfg.Log); err != nil {
		if ctx.Err() == nil {
			e.cfg.Logger.Error("following the log", "encounter", f.id, "error", err)
		}
		return
	}
	f.heard.CompareAndSwap(heard, 0) // FollowAll only supposes that there is more
}
