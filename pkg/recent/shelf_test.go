package recent

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// thing is a value that takes some bytes and may be busy or spent.
type thing struct {
	key   int
	bytes int64
	rest  Rest
}

func shelf(bytes int64, count int) *Shelf[int, *thing] {
	return NewShelf[int](Room[*thing]{Bytes: bytes, Count: count, Size: func(v *thing) int64 { return v.bytes },
		Rest: func(v *thing) Rest { return v.rest }})
}

func loads(v *thing) func(context.Context) (*thing, error) {
	return func(context.Context) (*thing, error) { return v, nil }
}

// However many ask at once, a value is loaded once, and all get the same.
func TestLoadsOnce(t *testing.T) {
	s := shelf(1<<20, 0)
	var made atomic.Int64
	begun, go_ := make(chan struct{}), make(chan struct{})
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			if i > 0 {
				<-begun
			}
			v, release, err := s.Hold(t.Context(), 7, func(context.Context) (*thing, error) {
				if made.Add(1) == 1 {
					close(begun)
				}
				<-go_
				return &thing{key: 7}, nil
			})
			if err != nil || v.key != 7 {
				t.Errorf("%v, %v", v, err)
				return
			}
			release()
		})
	}
	<-begun
	heard := 0
	if !s.With(7, func(*thing) { heard++ }) || heard != 0 {
		t.Error("what is being loaded is not there, or is there already")
	}
	close(go_)
	wg.Wait()
	if made.Load() != 1 || heard != 1 {
		t.Errorf("loaded %d times, heard of it %d times", made.Load(), heard)
	}
	if s.With(8, func(*thing) { t.Error("there is no 8") }) {
		t.Error("8 is there")
	}
}

// A load that failed is forgotten; one whose caller gave up is made by another.
func TestLoadsThatFail(t *testing.T) {
	s, wrong := shelf(1<<20, 0), errors.New("wrong")
	if _, _, err := s.Hold(t.Context(), 1, func(context.Context) (*thing, error) { return nil, wrong }); !errors.Is(err, wrong) {
		t.Errorf("got %v", err)
	}
	ctx, giveUp := context.WithCancel(t.Context())
	begun, done := make(chan struct{}), make(chan error, 2)
	go func() {
		_, _, err := s.Hold(ctx, 1, func(ctx context.Context) (*thing, error) {
			close(begun)
			<-ctx.Done()
			return nil, ctx.Err()
		})
		done <- err
	}()
	<-begun
	go func() {
		v, release, err := s.Hold(t.Context(), 1, loads(&thing{key: 1}))
		if err == nil && v.key == 1 {
			release()
		}
		done <- err
	}()
	giveUp()
	for range 2 {
		if err := <-done; err != nil && !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	}
	if h := s.Held(); h.Values != 1 {
		t.Errorf("%+v", h)
	}
}

// A panic of a load goes to its caller and leaves nothing behind.
func TestLoadsThatPanic(t *testing.T) {
	s := shelf(1<<20, 0)
	func() {
		defer func() {
			if recover() == nil {
				t.Error("no panic")
			}
		}()
		_, _, _ = s.Hold(t.Context(), 1, func(context.Context) (*thing, error) { panic("no") })
	}()
	if _, release, err := s.Hold(t.Context(), 1, loads(&thing{})); err != nil {
		t.Error(err)
	} else {
		release()
	}
}

func TestWhatIsHeldStays(t *testing.T) {
	s := shelf(10, 0)
	_, one, _ := s.Hold(t.Context(), 1, loads(&thing{bytes: 100}))
	_, two, _ := s.Hold(t.Context(), 2, loads(&thing{bytes: 100}))
	two()
	if h := s.Held(); h.Values != 1 || h.Evicted != 1 {
		t.Errorf("%+v", h)
	}
	one()
	if h := s.Held(); h.Values != 0 || h.Bytes != 0 || h.Evicted != 2 {
		t.Errorf("%+v", h)
	}
}

func TestRests(t *testing.T) {
	s := shelf(1, 0)
	busy := &thing{bytes: 100, rest: Stay}
	_, release, _ := s.Hold(t.Context(), 1, loads(busy))
	release()
	if h := s.Held(); h.Values != 1 || h.Bytes != 100 {
		t.Errorf("what is busy went: %+v", h)
	}
	busy.rest, busy.bytes = Keep, 1
	v, release, _ := s.Hold(t.Context(), 1, loads(nil))
	release()
	if h := s.Held(); v != busy || h.Values != 1 || h.Bytes != 1 {
		t.Errorf("%+v", h)
	}
	_, release, _ = s.Hold(t.Context(), 2, loads(&thing{rest: Drop}))
	release()
	if h := s.Held(); h.Values != 1 || h.Evicted != 0 {
		t.Errorf("what is spent is still there: %+v", h)
	}
}

func TestIdleGo(t *testing.T) {
	now := time.Unix(100, 0)
	s := NewShelf[int](Room[*thing]{Bytes: 1 << 20, Size: func(*thing) int64 { return 1 }, Now: func() time.Time { return now }})
	for i := range 3 {
		_, release, _ := s.Hold(t.Context(), i, loads(&thing{key: i}))
		if i > 0 { // 0 is held on
			release()
		}
		now = now.Add(time.Minute)
	}
	s.DropIdle(time.Unix(100, 0).Add(2 * time.Minute)) // 1 was let go of a minute in, 2 two minutes in
	if all := s.All(); len(all) != 2 || all[0].key+all[1].key != 2 {
		t.Errorf("%d are left", len(all))
	}
}

// Whatever is held and let go of, the shelf counts right, gives each key one value
// while it is held, and is within its room when nothing is.
func TestShelf(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		count := rapid.IntRange(0, 4).Draw(t, "count")
		s := shelf(50, count)
		held := map[int][]func(){}
		first := map[int]*thing{}
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			k := rapid.IntRange(0, 6).Draw(t, "key")
			if n := len(held[k]); n > 0 && rapid.Bool().Draw(t, "release") {
				held[k][n-1]()
				held[k] = held[k][:n-1]
				continue
			}
			size := rapid.Int64Range(0, 30).Draw(t, "bytes")
			v, release, err := s.Hold(context.Background(), k, loads(&thing{key: k, bytes: size}))
			if err != nil || v.key != k || len(held[k]) > 0 && v != first[k] {
				t.Fatalf("%d: %+v, %v", k, v, err)
			}
			first[k], held[k] = v, append(held[k], release)
		}
		for _, releases := range held { // order-free: all are let go of
			for _, release := range releases {
				release()
			}
		}
		sum := int64(0)
		for _, v := range s.All() {
			sum += v.bytes
		}
		if h := s.Held(); h.Bytes != sum || sum > 50 || count > 0 && h.Values > count || h.Values != len(s.All()) {
			t.Fatalf("%+v, they take %d", h, sum)
		}
	})
}
