package recent

import (
	"math"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// Bounds bound a Cache. What is 0 or nil bounds nothing.
type Bounds[K comparable, V any] struct {
	// Count is how many values there may be.
	Count int
	// Bytes is what they may take together, as Size counts them when they are put.
	Bytes int64
	// Share is what one of them may take: a larger one is not kept at all, so that
	// it can not drive out all others. Without it the value put last always stays.
	Share int64
	// Size is what a value takes, bytes; needed with Bytes.
	Size func(K, V) int64
	// Age is how long after it was put a value is forgotten.
	Age time.Duration
	// Now tells the time; nil means time.Now.
	Now func() time.Time
}

// Cache is a bounded map that forgets what was used longest ago. It is safe for
// concurrent use.
type Cache[K comparable, V any] struct {
	bounds Bounds[K, V]
	mu     sync.Mutex
	bytes  int64
	lru    *simplelru.LRU[K, entry[V]]
}

type entry[V any] struct {
	value V
	put   time.Time
	bytes int64
}

// NewCache makes an empty cache.
func NewCache[K comparable, V any](b Bounds[K, V]) *Cache[K, V] {
	if b.Now == nil {
		b.Now = time.Now
	}
	c := &Cache[K, V]{bounds: b}
	c.lru = endless(func(_ K, e entry[V]) { c.bytes -= e.bytes })
	return c
}

// endless is a list in order of use that bounds nothing by itself.
func endless[K comparable, V any](gone func(K, V)) *simplelru.LRU[K, V] {
	l, err := simplelru.NewLRU(math.MaxInt, gone)
	if err != nil { // only for a size below one
		panic(err)
	}
	return l
}

// Get returns the value of a key.
func (c *Cache[K, V]) Get(key K) (V, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.get(key)
}

func (c *Cache[K, V]) get(key K) (V, bool) {
	e, ok := c.lru.Get(key)
	if ok && c.bounds.Age > 0 && c.bounds.Now().Sub(e.put) >= c.bounds.Age {
		c.lru.Remove(key)
		e, ok = entry[V]{}, false
	}
	return e.value, ok
}

// Put stores a value, or takes account of what one that is there takes now.
func (c *Cache[K, V]) Put(key K, value V) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.put(key, value)
}

func (c *Cache[K, V]) put(key K, value V) {
	c.lru.Remove(key)
	e := entry[V]{value: value}
	if c.bounds.Age > 0 {
		e.put = c.bounds.Now()
	}
	if c.bounds.Size != nil {
		e.bytes = c.bounds.Size(key, value)
	}
	if c.bounds.Share > 0 && e.bytes > c.bounds.Share {
		return
	}
	c.lru.Add(key, e)
	c.bytes += e.bytes
	for c.lru.Len() > 1 && (c.bounds.Count > 0 && c.lru.Len() > c.bounds.Count || c.bounds.Bytes > 0 && c.bytes > c.bounds.Bytes) {
		c.lru.RemoveOldest()
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

// Len is how many values there are.
func (c *Cache[K, V]) Len() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.lru.Len()
}

// Bytes is what they take, as counted.
func (c *Cache[K, V]) Bytes() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.bytes
}

// Clear forgets everything.
func (c *Cache[K, V]) Clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lru.Purge()
}
