package load

import (
	"container/list"
	"context"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/skaldrpg/skald/pkg/fault"
)

// ReasonOverloaded is the reason of a refusal. The same call may be made again,
// with the same request id, after the time that the fault says.
const ReasonOverloaded = "OVERLOADED"

// Limits of a gate.
type Limits struct {
	// Least and Most bound how much is under way at a time; Start is how much is
	// before anything is known of the machine.
	Least, Start, Most int
	// Each bounds what one caller has under way in one place at a time.
	Each int
	// Service is how long the work should take in the middle (the median): when it
	// takes longer, less is let in at a time. Where the machine takes a quarter of
	// it or more with next to nothing to do, four times that counts instead.
	Service time.Duration
	// Wait is how long work should wait at most: the queue has room for what is
	// done in that time. What waited four times as long is refused.
	Wait time.Duration
}

// Who asks: tables take turns, and within a table its flows (an encounter with
// who calls).
type Who struct{ Table, Flow string }

// Gate lets work in. It is safe for concurrent use.
type Gate struct {
	name   string
	limits Limits
	now    func() time.Time

	mu     sync.Mutex
	pace   pace
	inside int
	queued int
	tables map[string]*table
	turns  *list.List // of *table with flows that may go in
	counts counts
}

// table is one that has work inside or queued.
type table struct {
	name   string
	flows  map[string]*flow
	queued int
	turns  *list.List    // of *flow that may go in
	place  *list.Element // in Gate.turns; nil when no flow may go in
}

// flow is a caller in one place.
type flow struct {
	name   string
	table  *table
	inside int
	queue  *list.List    // of *waiter, oldest first
	place  *list.Element // in table.turns
}

// waiter is a piece of work in the queue.
type waiter struct {
	flow    *flow
	place   *list.Element // in flow.queue; nil when it waits no longer
	since   time.Time
	let     bool          // in
	outcome chan struct{} // closed when it waits no longer; nil before it begins to
}

// New makes a gate; the name is that of its work in metrics.
func New(name string, l Limits) *Gate {
	return &Gate{name: name, limits: l, now: time.Now, pace: newPace(l), tables: map[string]*table{}, turns: list.New(), counts: newCounts()}
}

// Enter waits for its turn and returns what is to be called when the work is
// done, once. Errors are an Exhausted fault (OVERLOADED) and the context's.
func (g *Gate) Enter(ctx context.Context, who Who) (leave func(), err error) {
	w, let, refused := g.ask(who)
	switch {
	case refused:
		return nil, overloaded(g.name)
	case !let:
		if err := g.wait(ctx, w); err != nil {
			return nil, err
		}
	}
	g.mu.Lock()
	begun, alone := g.now(), g.inside <= max(1, g.limits.Least/4)
	g.mu.Unlock()
	if g.counts.waited != nil {
		g.counts.waited.Observe(begun.Sub(w.since).Seconds())
	}
	return func() { g.leave(w.flow, begun, alone) }, nil
}

// ask queues and, where there is room, lets in.
func (g *Gate) ask(who Who) (w *waiter, let, refused bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	w = &waiter{flow: g.flow(who), since: g.now()}
	g.push(w)
	g.letIn()
	if w.place == nil {
		return w, true, false
	}
	w.outcome = make(chan struct{})
	if g.queued <= g.pace.room() {
		return w, false, false
	}
	g.refuse(g.longest(w.flow).queue.Back().Value.(*waiter), "full")
	return w, false, w.place == nil
}

// wait waits for the outcome. What waits too long, or for nobody, goes.
func (g *Gate) wait(ctx context.Context, w *waiter) error {
	timer := time.NewTimer(4 * g.limits.Wait)
	defer timer.Stop()
	why := "late"
	select {
	case <-w.outcome:
	case <-timer.C:
	case <-ctx.Done():
		why = "gone"
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if w.place != nil {
		g.refuse(w, why)
	}
	switch {
	case w.let && ctx.Err() == nil:
		return nil
	case w.let: // let in and gone at once
		g.exit(w.flow)
		return ctx.Err()
	case ctx.Err() != nil:
		return ctx.Err()
	}
	return overloaded(g.name)
}

// leave ends a piece of work.
func (g *Gate) leave(f *flow, begun time.Time, alone bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	now := g.now()
	g.pace.done(now, now.Sub(begun), alone, g.queued > 0 || g.inside >= g.pace.limit())
	g.exit(f)
}

// exit takes a piece of work out and lets in what may follow. g.mu is held.
func (g *Gate) exit(f *flow) {
	g.inside--
	f.inside--
	g.settle(f)
	g.letIn()
}

// flow finds or makes a flow. g.mu is held.
func (g *Gate) flow(who Who) *flow {
	t := g.tables[who.Table]
	if t == nil {
		t = &table{name: who.Table, flows: map[string]*flow{}, turns: list.New()}
		g.tables[who.Table] = t
	}
	f := t.flows[who.Flow]
	if f == nil {
		f = &flow{name: who.Flow, table: t, queue: list.New()}
		t.flows[who.Flow] = f
	}
	return f
}

func (g *Gate) push(w *waiter) {
	w.place = w.flow.queue.PushBack(w)
	w.flow.table.queued++
	g.queued++
	g.settle(w.flow)
}

// pull takes a waiter out of its queue and wakes it: it will have to wait for g.mu
// to see what became of it. g.mu is held.
func (g *Gate) pull(w *waiter) {
	w.flow.queue.Remove(w.place)
	w.place = nil
	w.flow.table.queued--
	g.queued--
	if w.outcome != nil {
		close(w.outcome)
	}
}

// settle puts a flow and its table where they belong: among those whose turn may
// come, or out of memory when nothing is left of them. g.mu is held.
func (g *Gate) settle(f *flow) {
	t := f.table
	may := f.queue.Len() > 0 && f.inside < g.limits.Each
	switch {
	case may && f.place == nil:
		f.place = t.turns.PushBack(f)
	case !may && f.place != nil:
		t.turns.Remove(f.place)
		f.place = nil
	}
	if f.queue.Len() == 0 && f.inside == 0 {
		delete(t.flows, f.name)
	}
	switch {
	case t.turns.Len() > 0 && t.place == nil:
		t.place = g.turns.PushBack(t)
	case t.turns.Len() == 0 && t.place != nil:
		g.turns.Remove(t.place)
		t.place = nil
	}
	if len(t.flows) == 0 {
		delete(g.tables, t.name)
	}
}

// letIn lets in whose turn it is while there is room. g.mu is held.
func (g *Gate) letIn() {
	for g.inside < g.pace.limit() && g.turns.Len() > 0 {
		t := g.turns.Front().Value.(*table)
		f := t.turns.Front().Value.(*flow)
		w := f.queue.Front().Value.(*waiter)
		g.pull(w)
		w.let = true
		g.inside++
		f.inside++
		g.counts.admitted++
		t.turns.MoveToBack(f.place)
		g.turns.MoveToBack(t.place)
		g.settle(f)
	}
}

// refuse sends a waiter away. g.mu is held.
func (g *Gate) refuse(w *waiter, why string) {
	g.pull(w)
	g.counts.refused[why]++
	g.settle(w.flow)
}

// longest is the flow that gives way when the queue is full: the longest of the
// longest table, the newcomer's own where it is as long. g.mu is held.
func (g *Gate) longest(mine *flow) *flow {
	t := mine.table
	// order-free: any of the longest will do
	for _, other := range g.tables {
		if other.queued > t.queued {
			t = other
		}
	}
	f := mine
	if t != mine.table {
		f = nil
	}
	// order-free: as above
	for _, other := range t.flows {
		if f == nil || other.queue.Len() > f.queue.Len() {
			f = other
		}
	}
	return f
}

// overloaded is the refusal. The time is drawn, so that those who were refused
// together do not come back together.
func overloaded(work string) error {
	f := fault.New(fault.Exhausted, ReasonOverloaded, "the server has as many %s to do as it can; nothing was done, try again", work)
	f.Retry = 500*time.Millisecond + rand.N(time.Second)
	return f
}
