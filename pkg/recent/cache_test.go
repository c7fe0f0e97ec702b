package recent

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestForgetsWhatWasUsedLongestAgo(t *testing.T) {
	c := NewCache(Bounds[int, string]{Count: 2})
	c.Put(1, "one")
	c.Put(2, "two")
	c.Get(1)
	c.Put(3, "three")
	if _, ok := c.Get(2); ok {
		t.Error("2 was used longest ago and is still there")
	}
	if v, ok := c.Get(1); !ok || v != "one" {
		t.Error("1 is gone")
	}
}

func TestForgetsWhatIsOld(t *testing.T) {
	now := time.Unix(0, 0)
	c := NewCache(Bounds[int, int]{Count: 10, Age: time.Hour, Now: func() time.Time { return now }})
	c.Put(1, 1)
	now = now.Add(time.Hour - 1)
	if _, ok := c.Get(1); !ok {
		t.Error("gone before its time")
	}
	now = now.Add(1) // reading does not make it younger
	if _, ok := c.Get(1); ok || c.Len() != 0 {
		t.Error("still there after its time")
	}
}

// TestAgainstTwin compares with a list that is searched from the end.
func TestAgainstTwin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limit := rapid.IntRange(1, 5).Draw(t, "limit")
		c := NewCache(Bounds[int, int]{Count: limit})
		var twin [][2]int // used last at the end
		take := func(k int) (v int, ok bool) {
			for i, e := range twin {
				if e[0] == k {
					twin = append(twin[:i], twin[i+1:]...)
					return e[1], true
				}
			}
			return 0, false
		}
		for range rapid.IntRange(0, 60).Draw(t, "steps") {
			k := rapid.IntRange(0, 8).Draw(t, "key")
			if rapid.Bool().Draw(t, "put") {
				v := rapid.Int().Draw(t, "value")
				c.Put(k, v)
				take(k)
				twin = append(twin, [2]int{k, v})
				twin = twin[max(0, len(twin)-limit):]
				continue
			}
			got, ok := c.Get(k)
			want, there := take(k)
			if there {
				twin = append(twin, [2]int{k, want})
			}
			if ok != there || got != want {
				t.Fatalf("key %d: %d %v, want %d %v", k, got, ok, want, there)
			}
		}
		if c.Len() != len(twin) {
			t.Fatalf("%d entries, want %d", c.Len(), len(twin))
		}
	})
}

// TestBytes: the cache never holds more bytes than it may, counts what it holds,
// and does not keep what is larger than a share.
func TestBytes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const most, share = 100, 40
		c := NewCache(Bounds[int, int64]{Bytes: most, Share: share, Size: func(_ int, v int64) int64 { return v }})
		held := map[int]int64{}
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			k, v := rapid.IntRange(0, 9).Draw(t, "key"), rapid.Int64Range(0, 60).Draw(t, "bytes")
			c.Put(k, v)
			held[k] = v
			sum := int64(0)
			for k, want := range held { // order-free: a sum
				got, ok := c.Get(k)
				if !ok {
					continue
				}
				if got != want || got > share {
					t.Fatalf("key %d holds %d, put %d", k, got, want)
				}
				sum += got
			}
			if got, ok := c.Get(k); ok != (v <= share) || ok && got != v {
				t.Fatalf("just put %d: %d %v", v, got, ok)
			}
			if c.Bytes() != sum || sum > most {
				t.Fatalf("counts %d bytes, holds %d, at most %d", c.Bytes(), sum, most)
			}
		}
	})
}

func TestOrMakesOnce(t *testing.T) {
	c, made := NewCache(Bounds[string, int]{Count: 2}), 0
	for range 3 {
		if v := c.Or("a", func() int { made++; return 7 }); v != 7 {
			t.Errorf("got %d", v)
		}
	}
	if made != 1 {
		t.Errorf("made %d times", made)
	}
}

// Without a share the value put last stays, however large, and goes with the next.
func TestTheLastStays(t *testing.T) {
	c := NewCache(Bounds[string, int64]{Bytes: 10, Size: func(_ string, v int64) int64 { return v }})
	c.Put("a", 3)
	c.Put("b", 50)
	if _, ok := c.Get("b"); !ok || c.Len() != 1 || c.Bytes() != 50 {
		t.Errorf("%d values of %d bytes", c.Len(), c.Bytes())
	}
	c.Put("c", 4)
	if _, ok := c.Get("b"); ok || c.Bytes() != 4 {
		t.Errorf("b is still there: %d bytes", c.Bytes())
	}
	c.Put("c", 7) // it has grown
	if c.Clear(); c.Len() != 0 || c.Bytes() != 0 {
		t.Errorf("%d values of %d bytes after clearing", c.Len(), c.Bytes())
	}
}
