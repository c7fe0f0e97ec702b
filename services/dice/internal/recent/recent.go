// Package recent keeps the values used last, bounded in number and in age.
//
// It must never be the only place of anything: whatever it holds can be
// computed or read again.
package recent

import (
	"container/list"
	"sync"
	"time"
)

// Cache is a bounded map that forgets what was used longest ago. It is safe for
// concurrent use.
type Cache[K comparable, V any] struct {
	mu     sync.Mutex
	limit  int
	maxAge time.Duration
	now    func() time.Time
	order  *list.List // of *entry[K, V], used last in front
	byKey  map[K]*list.Element
}

type entry[K comparable, V any] struct {
	key   K
	value V
	put   time.Time
}

// New makes a cache of at most limit entries; with a maxAge above zero an entry
// is forgotten so long after it was put.
func New[K comparable, V any](limit int, maxAge time.Duration) *Cache[K, V] {
	return NewWithClock[K, V](limit, maxAge, time.Now)
}

// NewWithClock is New with a clock.
func NewWithClock[K comparable, V any](limit int, maxAge time.Duration, now func() time.Time) *Cache[K, V] {
	return &Cache[K, V]{limit: limit, maxAge: maxAge, now: now, order: list.New(), byKey: map[K]*list.Element{}}
}

// Get returns the value of a key.
func (c *Cache[K, V]) Get(key K) (V, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	el, ok := c.byKey[key]
	if !ok {
		var zero V
		return zero, false
	}
	e := el.Value.(*entry[K, V])
	if c.maxAge > 0 && c.now().Sub(e.put) >= c.maxAge {
		c.remove(el)
		var zero V
		return zero, false
	}
	c.order.MoveToFront(el)
	return e.value, true
}

// Put stores a value.
func (c *Cache[K, V]) Put(key K, value V) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if el, ok := c.byKey[key]; ok {
		c.remove(el)
	}
	c.byKey[key] = c.order.PushFront(&entry[K, V]{key, value, c.stamp()})
	for len(c.byKey) > c.limit {
		c.remove(c.order.Back())
	}
}

// Len returns how many entries there are.
func (c *Cache[K, V]) Len() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.byKey)
}

// stamp reads the clock only where age matters.
func (c *Cache[K, V]) stamp() time.Time {
	if c.maxAge <= 0 {
		return time.Time{}
	}
	return c.now()
}

func (c *Cache[K, V]) remove(el *list.Element) {
	c.order.Remove(el)
	delete(c.byKey, el.Value.(*entry[K, V]).key)
}
