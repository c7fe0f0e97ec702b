package recent

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// Rest is what becomes of a value that nobody holds any more.
type Rest int

const (
	// Keep it until room is needed or it was idle for long.
	Keep Rest = iota
	// Stay: it can not go yet. It is looked at again by Settle, and when it is held
	// the next time.
	Stay
	// Drop it at once.
	Drop
)

// Room bounds a Shelf. Values that are held stay, whatever they take.
type Room[V any] struct {
	// Count is how many values there may be; 0 bounds nothing.
	Count int
	// Bytes is what they may take together.
	Bytes int64
	// Size is what a value takes, bytes; it is asked whenever somebody lets go of it.
	Size func(V) int64
	// Rest says what becomes of a value that nobody holds; nil means Keep.
	Rest func(V) Rest
	// Now tells the time; nil means time.Now.
	Now func() time.Time
}

// loadingBytes is what a value counts for while it is being loaded.
const loadingBytes = 1 << 10

// Shelf holds one value for each key, loaded once however many ask for it, and
// there while any of them works with it. Those that nobody holds go when room is
// needed, let go of longest ago first. It is safe for concurrent use.
type Shelf[K comparable, V any] struct {
	room Room[V]

	mu      sync.Mutex
	held    map[K]*place[V]              // by somebody, or Stay
	idle    *simplelru.LRU[K, *place[V]] // let go of longest ago first
	bytes   int64
	evicted uint64
}

// place is where a value is. All but ready is guarded by Shelf.mu.
type place[V any] struct {
	ready chan struct{} // closed when value or err is set
	value V
	err   error
	users int
	bytes int64 // as counted in Shelf.bytes
	used  time.Time
	later []func(V) // for when it is loaded
	gone  bool
}

func (p *place[V]) loaded() bool {
	select {
	case <-p.ready:
		return p.err == nil
	default:
		return false
	}
}

// NewShelf makes an empty shelf.
func NewShelf[K comparable, V any](room Room[V]) *Shelf[K, V] {
	if room.Rest == nil {
		room.Rest = func(V) Rest { return Keep }
	}
	if room.Now == nil {
		room.Now = time.Now
	}
	return &Shelf[K, V]{room: room, held: map[K]*place[V]{}, idle: endless[K, *place[V]](nil)}
}

// Hold finds a value, or loads it, and keeps it until release is called, once.
// Errors are those of load, and of ctx while somebody else loads it; a load that
// failed is forgotten.
func (s *Shelf[K, V]) Hold(ctx context.Context, key K, load func(context.Context) (V, error)) (v V, release func(), err error) {
	for {
		p, mine := s.occupy(key)
		if mine {
			s.fill(ctx, key, p, load)
		}
		select {
		case <-p.ready:
		case <-ctx.Done():
			s.release(key, p)
			return v, nil, ctx.Err()
		}
		if p.err == nil {
			return p.value, func() { s.release(key, p) }, nil
		}
		err := p.err
		s.release(key, p)
		if mine || !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded) {
			return v, nil, err
		} // another call gave up loading it, not this one
	}
}

// occupy finds or makes the place of a key and counts a user more. mine tells that
// the caller has to fill it.
func (s *Shelf[K, V]) occupy(key K) (p *place[V], mine bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p = s.held[key]
	if p == nil {
		var ok bool
		if p, ok = s.idle.Peek(key); ok {
			s.idle.Remove(key)
		} else {
			p, mine = &place[V]{ready: make(chan struct{}), bytes: loadingBytes}, true
			s.bytes += p.bytes
		}
		s.held[key] = p
	}
	p.users++
	return p, mine
}

// fill loads the value of a place.
func (s *Shelf[K, V]) fill(ctx context.Context, key K, p *place[V], load func(context.Context) (V, error)) {
	err := errors.New("recent: loading ended without a word") // by a panic, which goes on
	var v V
	defer func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if p.value, p.err = v, err; err != nil {
			s.drop(key, p)
		}
		for _, fn := range p.later {
			if err == nil {
				fn(v)
			}
		}
		p.later = nil
		close(p.ready)
	}()
	v, err = load(ctx)
}

// release ends a use.
func (s *Shelf[K, V]) release(key K, p *place[V]) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p.users--
	p.used = s.room.Now()
	if p.gone || !p.loaded() {
		return
	}
	s.weigh(p)
	if p.users == 0 {
		s.rest(key, p)
	}
	s.trim()
}

// Settle looks again at a value that had to Stay: nobody may hold it the next time
// for long.
func (s *Shelf[K, V]) Settle(key K) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p := s.held[key]; p != nil && p.users == 0 {
		s.weigh(p)
		s.rest(key, p)
		s.trim()
	}
}

// weigh counts a value for what it takes now. mu is held.
func (s *Shelf[K, V]) weigh(p *place[V]) {
	now := s.room.Size(p.value)
	s.bytes += now - p.bytes
	p.bytes = now
}

// rest puts a place that nobody uses where it belongs. mu is held.
func (s *Shelf[K, V]) rest(key K, p *place[V]) {
	switch s.room.Rest(p.value) {
	case Drop:
		s.drop(key, p)
	case Keep:
		delete(s.held, key)
		s.idle.Add(key, p)
	case Stay:
	}
}

// drop takes a place off the shelf. mu is held.
func (s *Shelf[K, V]) drop(key K, p *place[V]) {
	if p.gone {
		return
	}
	p.gone = true
	delete(s.held, key)
	s.idle.Remove(key)
	s.bytes -= p.bytes
}

// trim makes room. mu is held.
func (s *Shelf[K, V]) trim() {
	for s.bytes > s.room.Bytes || s.room.Count > 0 && s.idle.Len()+len(s.held) > s.room.Count {
		key, p, ok := s.idle.GetOldest()
		if !ok {
			return
		}
		s.drop(key, p)
		s.evicted++
	}
}

// DropIdle lets go of what nobody has held since a time.
func (s *Shelf[K, V]) DropIdle(since time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		key, p, ok := s.idle.GetOldest()
		if !ok || !p.used.Before(since) {
			return
		}
		s.drop(key, p)
	}
}

// With calls fn with the value of a key if it is there, or as soon as it is
// loaded; false when it is neither. fn must be quick and must not use the shelf.
func (s *Shelf[K, V]) With(key K, fn func(V)) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.held[key]
	if p == nil {
		p, _ = s.idle.Peek(key)
	}
	switch {
	case p == nil:
		return false
	case p.loaded():
		fn(p.value)
	default:
		p.later = append(p.later, fn)
	}
	return true
}

// All are the values that are there, in no order.
func (s *Shelf[K, V]) All() []V {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make([]V, 0, len(s.held)+s.idle.Len())
	for _, p := range s.held { // order-free: no order is promised
		if p.loaded() {
			out = append(out, p.value)
		}
	}
	for _, p := range s.idle.Values() {
		out = append(out, p.value)
	}
	return out
}

// Held is how a shelf stands.
type Held struct {
	// Values that are there, those being loaded included.
	Values int
	// Bytes that they take, as counted.
	Bytes int64
	// Evicted is how many were let go of to make room.
	Evicted uint64
}

// Held is how the shelf stands.
func (s *Shelf[K, V]) Held() Held {
	s.mu.Lock()
	defer s.mu.Unlock()
	return Held{Values: len(s.held) + s.idle.Len(), Bytes: s.bytes, Evicted: s.evicted}
}
