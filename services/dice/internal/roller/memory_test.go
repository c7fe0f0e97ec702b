package roller

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/skaldrpg/skald/pkg/dice"
	"github.com/skaldrpg/skald/pkg/fault"
	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
)

const mib = 1 << 20

func free(int64) error { return nil }

// heapPeak runs f and returns the most that the heap grew by meanwhile, and by
// how much it is larger afterwards, once garbage is gone.
func heapPeak(f func()) (peak, left int64) {
	heap := func() int64 {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	runtime.GC()
	before := heap()
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(2 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-stop:
				return
			case <-tick.C:
				peak = max(peak, heap()-before)
			}
		}
	}()
	f()
	close(stop)
	<-done
	runtime.GC()
	return peak, heap() - before
}

// TestLargestRequestsTogether: many of the largest requests in parallel stay
// within the memory that is given to them; garbage may double it for a moment.
func TestLargestRequestsTogether(t *testing.T) {
	limits := OddsLimits{Cache: 16 * mib, Memory: 128 * mib, Wait: time.Minute}
	o := NewOdds(limits)
	var texts []string
	for i := range 3 {
		texts = append(texts,
			fmt.Sprintf("%dd%d", 500-i, 500+i),     // 140 MB each: too large
			fmt.Sprintf("%dd%d", 180-i, 300+i),     // the largest that are computed
			fmt.Sprintf("{%dd10,%dd9}kh1", 6+i, 6), // unequal elements
			fmt.Sprintf("%dd10!", 12+i),            // long chains
			fmt.Sprintf("1d%d*1d%d", 900+i, 800+i), // products, far apart
			fmt.Sprintf("%dd6!dl1", 4+i),           // sets on the table
			fmt.Sprintf("1d%d", 1_000_000-i),       // sides
			fmt.Sprintf("%dd6", 1990+i))
	}
	var answered, refused sync.Map
	peak, left := heapPeak(func() {
		var wg sync.WaitGroup
		for _, text := range texts {
			wg.Go(func() {
				_, err := o.Reply(t.Context(), parse(t, text), &dicev1.OddsRequest{Outcomes: -1}, free)
				switch {
				case err == nil:
					answered.Store(text, true)
				case fault.Is(err, fault.Exhausted):
					f, _ := fault.As(err)
					refused.Store(text, f.Meta["limit"])
				default:
					t.Errorf("%s: %v", text, err)
				}
			})
		}
		wg.Wait()
	})
	t.Logf("peak %d MiB, left %d MiB, kept %d MiB", peak/mib, left/mib, o.Kept()/mib)
	if most := 2*(limits.Memory+limits.Cache) + 32*mib; peak > most {
		t.Errorf("the heap grew by %d MiB, at most %d", peak/mib, most/mib)
	}
	if most := limits.Cache + 8*mib; left > most {
		t.Errorf("%d MiB stay, at most %d", left/mib, most/mib)
	}
	for text, limit := range map[string]string{"500d500": "dice.odds-memory", "498d502": "dice.odds-memory"} {
		if got, _ := refused.Load(text); got != limit {
			t.Errorf("%s: refused by %v, want %s", text, got, limit)
		}
	}
	for _, text := range []string{"180d300", "{6d10,6d9}kh1", "12d10!", "1d1000000", "1990d6", "1d900*1d800"} {
		if _, ok := answered.Load(text); !ok {
			r, _ := refused.Load(text)
			t.Errorf("%s: not answered: %v", text, r)
		}
	}
	runtime.KeepAlive(o)
}

// TestKeptBytesAreReal: what the cache counts is what the heap holds.
func TestKeptBytesAreReal(t *testing.T) {
	o := NewOdds(OddsLimits{Cache: 64 * mib, Memory: 64 * mib, Wait: time.Minute})
	_, left := heapPeak(func() {
		for i := range 8 {
			if _, err := o.Reply(t.Context(), parse(t, fmt.Sprintf("%dd6", 1500+i)), &dicev1.OddsRequest{Outcomes: -1}, free); err != nil {
				t.Fatal(err)
			}
		}
	})
	if kept := o.Kept(); kept < left*8/10 || kept > left*12/10+mib {
		t.Errorf("counted %d bytes, the heap holds %d", kept, left)
	}
	runtime.KeepAlive(o)
}

func TestTooLargeIsNotKept(t *testing.T) {
	o := NewOdds(OddsLimits{Cache: 4 * mib, Memory: 64 * mib, Wait: time.Minute})
	for text, kept := range map[string]bool{"2d6": true, "1000d6": false} {
		if _, err := o.Reply(t.Context(), parse(t, text), &dicev1.OddsRequest{}, free); err != nil {
			t.Fatal(err)
		}
		if _, ok := o.known.Get(text); ok != kept {
			t.Errorf("%s kept: %v, want %v", text, ok, kept)
		}
	}
}

// TestNoRoomIsRefused: who finds all memory taken waits, and no longer than said.
func TestNoRoomIsRefused(t *testing.T) {
	o := NewOdds(OddsLimits{Cache: mib, Memory: modest, Wait: time.Millisecond})
	if err := o.room.Acquire(t.Context(), modest); err != nil {
		t.Fatal(err)
	}
	_, err := o.Reply(t.Context(), parse(t, "2d6"), &dicev1.OddsRequest{}, free)
	f, ok := fault.As(err)
	if !ok || f.Code != fault.Exhausted || f.Meta["limit"] != LimitMemory {
		t.Errorf("no room: %v", err)
	}
	o.room.Release(modest)
	if _, err := o.Reply(t.Context(), parse(t, "2d6"), &dicev1.OddsRequest{}, free); err != nil {
		t.Errorf("with room: %v", err)
	}
}

// TestWorkIsToldBefore: what Spend refuses is not computed, and whoever has
// given up is not computed for.
func TestWorkIsToldBefore(t *testing.T) {
	o := NewOdds(OddsLimits{Cache: mib, Memory: 64 * mib, Wait: time.Minute})
	enough := errors.New("enough")
	spent := int64(0)
	_, err := o.Reply(t.Context(), parse(t, "12d10!"), &dicev1.OddsRequest{}, func(n int64) error {
		if spent += n; spent > 10*dice.SpendPortion {
			return fault.Wrap(fault.Exhausted, "LIMIT", enough, "enough")
		}
		return nil
	})
	if !errors.Is(err, enough) {
		t.Errorf("%v after %d", err, spent)
	}
	ctx, cancel := context.WithCancel(t.Context())
	_, err = o.Reply(ctx, parse(t, "12d10!"), &dicev1.OddsRequest{}, func(int64) error { cancel(); return nil })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("given up: %v", err)
	}
}

func TestBudget(t *testing.T) {
	now := time.Unix(0, 0)
	b := NewBudget(BudgetLimits{PerSecond: 100, Burst: 1000}, func() time.Time { return now })
	steps := []struct {
		who   string
		after time.Duration
		work  int64
		ok    bool
	}{
		{"ann", 0, 900, true},
		{"ann", 0, 200, false},
		{"bob", 0, 200, true}, // each has its own
		{"ann", time.Second, 200, true},
		{"ann", 0, 1, false},
		{"ann", time.Hour, 1000, true}, // no more than the burst is saved
		{"ann", 0, 1, false},
		{"cyd", 0, 5000, true}, // more than can be saved takes all of it
		{"cyd", 0, 1, false},
	}
	for i, s := range steps {
		now = now.Add(s.after)
		err := b.Spend(s.who, s.work)
		if (err == nil) != s.ok {
			t.Errorf("step %d: %v", i, err)
		}
		if f, _ := fault.As(err); err != nil && (f.Code != fault.Exhausted || f.Meta["limit"] != LimitWork) {
			t.Errorf("step %d: %v", i, err)
		}
	}
}

// Who asks for what is being computed waits for it; one whose owner gave up, or had
// no work left, is computed on the next one's account.
func TestComputedOnce(t *testing.T) {
	o := NewOdds(OddsLimits{Cache: 16 * mib, Memory: 64 * mib, Wait: time.Minute})
	poor, begun, goOn := errors.New("no work left"), make(chan struct{}), make(chan struct{})
	ask := func(spend func(int64) error) chan error {
		out := make(chan error, 1)
		go func() {
			_, err := o.distribution(t.Context(), parse(t, "300d6"), spend)
			out <- err
		}()
		return out
	}
	first := ask(func(int64) error {
		select {
		case <-begun:
		default:
			close(begun)
		}
		<-goOn
		return poor
	})
	<-begun
	var spent [5]int64
	var rest []chan error
	var mu sync.Mutex
	for i := range spent {
		rest = append(rest, ask(func(work int64) error {
			mu.Lock()
			defer mu.Unlock()
			spent[i] += work
			return nil
		}))
	}
	close(goOn)
	if err := <-first; !errors.Is(err, poor) && !fault.Is(err, fault.Internal) {
		t.Errorf("who had no work left got %v", err)
	}
	for _, c := range rest {
		if err := <-c; err != nil {
			t.Error(err)
		}
	}
	paid := 0
	for _, work := range spent {
		if work > 0 {
			paid++
		}
	}
	if paid != 1 {
		t.Errorf("%d of %d paid for one computation: %v", paid, len(spent), spent)
	}
	if o.Kept() == 0 {
		t.Error("nothing is kept")
	}
}
