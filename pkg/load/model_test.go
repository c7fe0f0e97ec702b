package load

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/skaldrpg/skald/pkg/limits"
)

// machine is a model of one that serves: cores that work one after the other, and
// a disk whose syncs take everybody along who waits for one. Its clock is the
// test's, so that what comes out depends on no real machine.
type machine struct {
	cores   chan struct{}
	read    time.Duration // of a core to read a request, whether it is let in or not
	command time.Duration // of a core to carry out a command
	sync    time.Duration // of the disk
}

func newMachine(cores int, read, command, sync time.Duration) *machine {
	m := &machine{cores: make(chan struct{}, cores), read: read, command: command, sync: sync}
	for range cores {
		m.cores <- struct{}{}
	}
	return m
}

func (m *machine) core(d time.Duration) {
	<-m.cores
	time.Sleep(d)
	m.cores <- struct{}{}
}

// synced waits for the end of the first sync that begins from now on.
func (m *machine) synced() {
	now := time.Duration(time.Now().UnixNano())
	time.Sleep(m.sync - now%m.sync + m.sync)
}

// serve carries out one call; g may be nil.
func (m *machine) serve(t *testing.T, g *Gate, who Who) error {
	m.core(m.read)
	if g != nil {
		leave, err := g.Enter(t.Context(), who)
		if err != nil {
			return err
		}
		defer leave()
	}
	m.core(m.command)
	m.synced()
	return nil
}

// peak is what it does a second with so many callers in a circle.
func (m *machine) peak(t *testing.T, callers int) float64 {
	const lasts = 5 * time.Second
	end := time.Now().Add(lasts)
	done := make(chan int)
	for range callers {
		go func() { // ends with the time
			n := 0
			for ; time.Now().Before(end); n++ {
				m.serve(t, nil, Who{}) //nolint:errcheck // there is no gate
			}
			done <- n
		}()
	}
	all := 0
	for range callers {
		all += <-done
	}
	return float64(all) / lasts.Seconds()
}

// arrive lets commands come at a rate, whatever becomes of those before, and says
// how many were done a second after a while, how long they took, and how long
// refusals took.
func (m *machine) arrive(t *testing.T, g *Gate, rate float64, warm, lasts time.Duration) (done float64, took, refused []time.Duration) {
	type outcome struct {
		took time.Duration
		err  error
	}
	rng := rand.New(rand.NewPCG(1, 2))
	warmed, n := int(rate*warm.Seconds()), int(rate*(warm+lasts).Seconds())
	out := make(chan outcome, n)
	for i := range n {
		who := Who{fmt.Sprint("table", rng.IntN(16)), fmt.Sprint(rng.IntN(8))}
		go func() { // ends with its answer
			begin := time.Now()
			err := m.serve(t, g, who)
			if i >= warmed {
				out <- outcome{time.Since(begin), err}
			}
		}()
		time.Sleep(time.Duration(float64(time.Second) / rate))
	}
	for range n - warmed {
		o := <-out
		if o.err != nil {
			refused = append(refused, o.took)
		} else {
			took = append(took, o.took)
		}
	}
	synctest.Wait()
	return float64(len(took)) / lasts.Seconds(), took, refused
}

func percentile(took []time.Duration, p int) time.Duration {
	if len(took) == 0 {
		return 0
	}
	slices.Sort(took)
	return took[(len(took)-1)*p/100].Round(100 * time.Microsecond)
}

// Under up to eight times what a machine carries it goes on doing nine tenths of
// what it can, in a bounded time. The cost of reading what is refused is the
// machine's, and taken off what it can. SKALD_OVERLOAD_RUNS tries more loads.
func TestOverloadOfModels(t *testing.T) {
	if os.Getenv("SKALD_RACE") != "" {
		t.Skip("half a million calls")
	}
	standard := Limits{Least: limits.CommandsLeast, Start: limits.CommandsStart, Most: limits.CommandsMost, Each: limits.CommandsEach,
		Service: limits.CommandMillis * time.Millisecond, Wait: limits.QueueMillis * time.Millisecond}
	loads := []float64{0.5, 4}
	if os.Getenv("SKALD_OVERLOAD_RUNS") != "" {
		loads = []float64{0.5, 1, 2, 4, 8}
	}
	for _, c := range []struct {
		name          string
		sync, command time.Duration
		callers       int
		warm          time.Duration
		slowest       time.Duration // of the accepted, 99 of 100: the time aimed at and the longest wait, where the machine allows that
	}{
		{"a fast disk", time.Millisecond, 1300 * time.Microsecond, 64, 5 * time.Second, (limits.CommandMillis + 4*limits.QueueMillis) * time.Millisecond},
		{"a slow disk", 40 * time.Millisecond, 1300 * time.Microsecond, 512, 12 * time.Second, 1000 * time.Millisecond},
		{"slow rules", time.Millisecond, 20 * time.Millisecond, 32, 5 * time.Second, 1000 * time.Millisecond},
	} {
		synctest.Test(t, func(t *testing.T) {
			const read = 40 * time.Microsecond
			m := newMachine(2, read, c.command, c.sync)
			peak := m.peak(t, c.callers)
			for _, times := range loads {
				g := New("commands", standard)
				done, took, refused := m.arrive(t, g, peak*times, c.warm, 3*time.Second)
				can := min(peak*times, 2/c.command.Seconds()*(1-peak*times*read.Seconds()/2))
				t.Logf("%s, %.1f times %.0f a second: %.0f done (%.2f of the peak, %.2f of what is left beside reading), p50 %v, p99 %v; %d refused in %v (p50), %v (p99); %+v", c.name, times, peak,
					done, done/peak, done/can, percentile(took, 50), percentile(took, 99), len(refused), percentile(refused, 50), percentile(refused, 99), g.Status())
				if done < 0.9*can {
					t.Errorf("%s, %.1f times: %.0f a second done of %.0f that it can", c.name, times, done, can)
				}
				if times <= 4 && c.sync == time.Millisecond && done < 0.9*min(1, times)*peak {
					t.Errorf("%s, %.1f times: %.0f a second done, the peak is %.0f", c.name, times, done, peak)
				}
				if p := percentile(took, 99); p > c.slowest {
					t.Errorf("%s, %.1f times: one of a hundred took %v", c.name, times, p)
				}
				if times < 1 && len(refused) > 0 {
					t.Errorf("%s: %d refused at half the load", c.name, len(refused))
				}
				clean(t, g)
			}
		})
	}
}
