package load

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/skaldrpg/skald/pkg/fault"
)

var small = Limits{Least: 4, Start: 4, Most: 64, Each: 2, Service: 40 * time.Millisecond, Wait: 100 * time.Millisecond}

// one asks once and reports how it ended.
type one struct {
	who   Who
	leave func()
	err   error
	done  chan struct{}
}

func ask(ctx context.Context, g *Gate, who Who) *one {
	o := &one{who: who, done: make(chan struct{})}
	go func() { // ends when it is let in or refused
		defer close(o.done)
		o.leave, o.err = g.Enter(ctx, who)
	}()
	return o
}

func (o *one) let() bool {
	select {
	case <-o.done:
		return o.err == nil
	default:
		return false
	}
}

// clean fails when something is left of work that is over.
func clean(t *testing.T, g *Gate) {
	t.Helper()
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.inside != 0 || g.queued != 0 || len(g.tables) != 0 || g.turns.Len() != 0 {
		t.Errorf("left: %d inside, %d queued, tables %v, %d turns", g.inside, g.queued, g.tables, g.turns.Len())
	}
}

func TestLetsInAsMuchAsItMay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := New("commands", small)
		var in []*one
		for i := range 4 {
			in = append(in, ask(t.Context(), g, Who{"t", fmt.Sprint(i)}))
		}
		synctest.Wait()
		for _, o := range in {
			if !o.let() {
				t.Fatalf("not let in: %v", o.err)
			}
		}
		next := ask(t.Context(), g, Who{"t", "x"})
		synctest.Wait()
		if next.let() || g.Status().Queued != 1 {
			t.Fatalf("a fifth was let in: %+v", g.Status())
		}
		in[0].leave()
		synctest.Wait()
		if !next.let() {
			t.Error("the fifth was not let in when one had left")
		}
		next.leave()
		for _, o := range in[1:] {
			o.leave()
		}
		clean(t, g)
	})
}

// What does not fit into the queue is refused at once, and says when to come again.
func TestRefusesAtOnceWhatDoesNotFit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := New("commands", small)
		g.pace.rate = 0
		var all []*one
		for i := range 4 + roomLeast + 10 {
			all = append(all, ask(t.Context(), g, Who{"t", fmt.Sprint(i)}))
			synctest.Wait()
		}
		let, refused := 0, 0
		for _, o := range all {
			if o.let() {
				let++
			} else if f, ok := fault.As(o.err); ok {
				refused++
				if f.Code != fault.Exhausted || f.Reason != ReasonOverloaded || f.Retry < 500*time.Millisecond || f.Retry > 2*time.Second {
					t.Fatalf("%+v", f)
				}
			}
		}
		if s := g.Status(); let != 4 || refused != 10 || s.Queued != roomLeast || s.Refused != 10 {
			t.Errorf("%d let in, %d refused, %+v", let, refused, s)
		}
		// Those who wait go when they have waited too long, whoever holds the places.
		time.Sleep(4*small.Wait + time.Millisecond)
		synctest.Wait()
		if s := g.Status(); s.Queued != 0 || s.Refused != 10+roomLeast || s.Inside != 4 {
			t.Errorf("after the longest wait: %+v", s)
		}
		for _, o := range all {
			if o.let() {
				o.leave()
			}
		}
		clean(t, g)
	})
}

// A table that asks for much crowds out itself: others are let in in turn, and do
// not find the queue full.
func TestTablesTakeTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := New("commands", small)
		g.pace.rate = 0
		var noisy []*one
		for i := range 200 {
			noisy = append(noisy, ask(t.Context(), g, Who{"noisy", fmt.Sprint(i)}))
		}
		synctest.Wait()
		var quiet []*one
		for i := range 3 {
			quiet = append(quiet, ask(t.Context(), g, Who{fmt.Sprint("quiet", i), "e"}))
		}
		synctest.Wait()
		if s := g.Status(); s.Queued != roomLeast {
			t.Fatalf("%+v", s)
		}
		for _, o := range quiet {
			select {
			case <-o.done:
				t.Fatalf("a quiet table was refused: %v", o.err)
			default:
			}
		}
		left := 0
		for range 6 { // as many as there are quiet ones, twice
			for _, o := range noisy {
				if o.let() && o.leave != nil {
					o.leave()
					o.leave = nil
					left++
					break
				}
			}
			synctest.Wait()
		}
		for i, o := range quiet {
			if !o.let() {
				t.Errorf("quiet table %d was not let in after %d of the noisy one left", i, left)
				continue
			}
			o.leave()
		}
		drain(g, noisy)
		clean(t, g)
	})
}

// drain ends what is inside until nothing is.
func drain(g *Gate, all []*one) {
	for {
		synctest.Wait()
		left := false
		for _, o := range all {
			if o.let() && o.leave != nil {
				o.leave()
				o.leave = nil
				left = true
			}
		}
		if !left {
			return
		}
	}
}

// Within a table callers take turns, and one caller in one place has little under
// way at a time even where nobody else asks.
func TestCallersTakeTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := New("commands", small)
		var many []*one
		for range 20 {
			many = append(many, ask(t.Context(), g, Who{"t", "bridge/ann"}))
		}
		synctest.Wait()
		if s := g.Status(); s.Inside != small.Each || s.Queued != 18 {
			t.Fatalf("%+v", s)
		}
		bob := ask(t.Context(), g, Who{"t", "bridge/bob"})
		synctest.Wait()
		if !bob.let() {
			t.Error("bob waits for ann")
		}
		bob.leave()
		drain(g, many)
		clean(t, g)
	})
}

func TestWhoeverGivesUpTakesNoPlace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := New("commands", small)
		var in []*one
		for i := range 4 {
			in = append(in, ask(t.Context(), g, Who{"t", fmt.Sprint(i)}))
		}
		synctest.Wait()
		ctx, cancel := context.WithCancel(t.Context())
		gone := ask(ctx, g, Who{"t", "gone"})
		synctest.Wait()
		cancel()
		synctest.Wait()
		if !errors.Is(gone.err, context.Canceled) {
			t.Errorf("%v", gone.err)
		}
		for _, o := range in {
			o.leave()
		}
		clean(t, g)
	})
}

// Whatever comes, nothing is left at the end, and no more is inside than may be.
func TestManyAtOnce(t *testing.T) {
	g := New("commands", small)
	var wg sync.WaitGroup
	var let, refused, gone int
	var mu sync.Mutex
	for i := range 64 {
		wg.Go(func() { // ends after its asking
			for n := range 200 {
				ctx, cancel := context.WithTimeout(t.Context(), time.Duration(n%7)*time.Millisecond)
				leave, err := g.Enter(ctx, Who{fmt.Sprint(i % 5), fmt.Sprint(n % 3)})
				if err == nil {
					if n%10 == 0 {
						time.Sleep(time.Millisecond)
					}
					leave()
				}
				cancel()
				mu.Lock()
				switch {
				case err == nil:
					let++
				case errors.Is(err, context.DeadlineExceeded):
					gone++
				default:
					refused++
				}
				if s := g.Status(); s.Inside > small.Most {
					t.Errorf("%+v", s)
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	clean(t, g)
	if let == 0 || gone == 0 {
		t.Errorf("%d let in, %d refused, %d gone", let, refused, gone)
	}
}

// The pace follows the machine: slow work narrows it, fast work that is waited for
// widens it, and the room is what is done in the time that work may wait.
func TestPace(t *testing.T) {
	at := time.Unix(0, 0)
	run := func(p *pace, windows int, took time.Duration, alone, saturated bool) {
		for range windows * 50 {
			at = at.Add(window / 50)
			p.done(at, took, alone, saturated)
		}
	}
	p := newPace(small)
	run(&p, 100, 5*time.Millisecond, false, false)
	if p.limit() != small.Start {
		t.Errorf("without need the limit became %d", p.limit())
	}
	run(&p, 200, 5*time.Millisecond, false, true)
	if p.limit() != small.Most {
		t.Errorf("fast work: limit %d", p.limit())
	}
	if r := p.room(); r != roomLeast {
		t.Errorf("room %d at 200 a second", r)
	}
	run(&p, 200, 90*time.Millisecond, false, true)
	if p.limit() != small.Least {
		t.Errorf("slow work: limit %d", p.limit())
	}
	run(&p, 200, 30*time.Millisecond, false, true)
	if p.limit() != small.Least {
		t.Errorf("work that is neither: limit %d", p.limit())
	}
	// A disk that takes long for a single command is no overload.
	run(&p, 20, 60*time.Millisecond, true, false)
	run(&p, 400, 90*time.Millisecond, false, true)
	if p.limit() != small.Most {
		t.Errorf("a slow disk: limit %d", p.limit())
	}
	for range 100 {
		for range 500 {
			at = at.Add(window / 500)
			p.done(at, time.Millisecond, false, true)
		}
	}
	if r := p.room(); r < 190 || r > 201 {
		t.Errorf("room %d at 2000 a second", r)
	}
}
