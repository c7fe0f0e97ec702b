// Package recent keeps the values used last, bounded in number, in bytes and in
// age.
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
	mu    sync.Mutex
	limit int
	// Set by Sized, else zero.
	maxBytes, share, bytes int64
	size                   func(K, V) int64
	maxAge                 time.Duration
	now                    func() time.Time
	order                  *list.List // of *entry[K, V], used last in front
	byKey                  map[K]*list.Element
}

type entry[K comparable, V any] struct {
	key   K
	value V
	put   time.Time
	bytes int64
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

// Sized bounds the cache in bytes as well, as size counts them; it is called
// before the cache is used and returns it. An entry larger than share is not
// kept at all, so that one can not drive out all others.
func (c *Cache[K, V]) Sized(maxBytes, share int64, size func(K, V) int64) *Cache[K, V] {
	c.maxBytes, c.share, c.size = maxBytes, min(share, maxBytes), size
	return c
}

// Bytes returns how many bytes the entries take, 0 if they are not counted.
func (c *Cache[K, V]) Bytes() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.bytes
}

// Get returns the value of a key.
func (c *Cache[K, V]) Get(key K) (V, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.get(key)
}

func (c *Cache[K, V]) get(key K) (V, bool) {
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
	c.put(key, value)
}

func (c *Cache[K, V]) put(key K, value V) {
	if el, ok := c.byKey[key]; ok {
		c.remove(el)
	}
	n := int64(0)
	if c.size != nil {
		if n = c.size(key, value); n > c.share {
			return
		}
	}
	c.byKey[key] = c.order.PushFront(&entry[K, V]{key, value, c.stamp(), n})
	c.bytes += n
	for len(c.byKey) > c.limit || c.bytes > c.maxBytes && c.size != nil {
		c.remove(c.order.Back())
	}
}

// Or returns the value of a key; if there is none it is made, once, and put.
func (c *Cache[K, V]) Or(key K, make func() V) V {
	c.mu.Lock()
	defer c.mu.Unlock()
	if v, ok := c.get(key); ok {
		return v
	}
	v := make()
	c.put(key, v)
	return v
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
	e := el.Value.(*entry[K, V])
	delete(c.byKey, e.key)
	c.bytes -= e.bytes
}
