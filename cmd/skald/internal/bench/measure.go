package bench

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/skaldrpg/skald/pkg/benchfloor"
)

// Timing is what one side of a figure took.
type Timing struct {
	// Rounds are how many operations were measured.
	Rounds int `json:"rounds"`
	// Median and P99 of the time of an operation, nanoseconds; of a delivery, where
	// there are watchers to wait for.
	Median time.Duration `json:"median_ns"`
	P99    time.Duration `json:"p99_ns"`
	// Processor is the processor's time of an operation, nanoseconds, of whatever ran
	// in the process meanwhile.
	Processor time.Duration `json:"processor_ns"`
	// PerSecond is how many operations there were in a second.
	PerSecond float64 `json:"per_second"`
}

// Ratio is a figure by its floor; 0 where the floor is 0.
type Ratio struct {
	Median    float64 `json:"median"`
	P99       float64 `json:"p99"`
	Processor float64 `json:"processor"`
	PerSecond float64 `json:"per_second"`
}

// Line is one case of a figure.
type Line struct {
	Figure string `json:"figure"`
	Case   string `json:"case"`
	Floor  Timing `json:"floor"`
	Skald  Timing `json:"skald"`
	Ratio  Ratio  `json:"ratio"`
}

func by(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}

func lineOf(name string, floor, skald Timing) Line {
	return Line{Case: name, Floor: floor, Skald: skald, Ratio: Ratio{
		Median: by(float64(skald.Median), float64(floor.Median)), P99: by(float64(skald.P99), float64(floor.P99)),
		Processor: by(float64(skald.Processor), float64(floor.Processor)), PerSecond: by(skald.PerSecond, floor.PerSecond)}}
}

// sample is what was measured so far.
type sample struct {
	rounds        int
	took          []time.Duration
	busy, elapsed time.Duration
}

func (s *sample) timing() Timing {
	slices.Sort(s.took)
	t := Timing{Rounds: s.rounds}
	if s.rounds > 0 && len(s.took) > 0 {
		t.Median, t.P99 = s.took[len(s.took)/2], s.took[len(s.took)*99/100]
		t.Processor = s.busy / time.Duration(s.rounds)
		t.PerSecond = by(float64(s.rounds), s.elapsed.Seconds())
	}
	return t
}

// count adds n operations between now and the call of what is returned.
func (s *sample) count(n int) (done func()) {
	busy, begin := benchfloor.Processor(), time.Now()
	return func() {
		s.rounds += n
		s.elapsed += time.Since(begin)
		s.busy += benchfloor.Processor() - busy
	}
}

// operation is one of those that are measured.
type operation func(ctx context.Context) error

// each measures operations one after the other.
func (s *sample) each(ctx context.Context, n int, op operation) error {
	defer s.count(n)()
	for range n {
		begin := time.Now()
		if err := op(ctx); err != nil {
			return err
		}
		s.took = append(s.took, time.Since(begin))
	}
	return nil
}

// among measures operations of clients that each wait for their own.
func (s *sample) among(ctx context.Context, clients, n int, op func(client int) operation) error {
	defer s.count(n)()
	var mu sync.Mutex
	var first error
	next := func(took time.Duration, err error) bool { // also gives out the work
		mu.Lock()
		defer mu.Unlock()
		if took > 0 {
			s.took = append(s.took, took)
		}
		if err != nil && first == nil {
			first = err
		}
		n--
		return n >= 0 && first == nil
	}
	var wg sync.WaitGroup
	for i := range clients {
		do := op(i)
		wg.Go(func() { // ends with the work, or with ctx by an error
			for more := next(0, nil); more; {
				begin := time.Now()
				err := do(ctx)
				more = next(time.Since(begin), err)
			}
		})
	}
	wg.Wait()
	return first
}

// counter gives out numbers from 0.
type counter struct{ n atomic.Int64 }

func (c *counter) take() int { return int(c.n.Add(1)) - 1 }

// side measures n more operations of a figure or its floor.
type side func(ctx context.Context, s *sample, n int) error

// alone is a side of operations one after the other.
func alone(op operation) side {
	return func(ctx context.Context, s *sample, n int) error { return s.each(ctx, n, op) }
}

// turns are how often floor and figure take turns.
const turns = 4

// beside measures a floor and a figure in turns; each is warmed up first where there
// are rounds enough for that not to be most of it.
func beside(ctx context.Context, rounds int, floor, skald side) (f, s Timing, err error) {
	var samples [2]sample
	sides := [2]side{floor, skald}
	if rounds >= 5*turns {
		for _, do := range sides {
			if err := do(ctx, &sample{}, turns); err != nil {
				return f, s, err
			}
		}
	}
	for t := range turns {
		n := (rounds + t) / turns // these add up to rounds
		if n == 0 {
			continue
		}
		for i, do := range sides {
			if err := do(ctx, &samples[i], n); err != nil {
				return f, s, err
			}
		}
	}
	return samples[0].timing(), samples[1].timing(), nil
}
