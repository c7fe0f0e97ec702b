package load

import (
	"fmt"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/skaldrpg/skald/pkg/ops"
)

// counts is what a gate did since it was made.
type counts struct {
	admitted uint64
	refused  map[string]uint64   // by why: full, late, gone
	waited   prometheus.Observer // seconds in the queue; may be nil
}

func newCounts() counts { return counts{refused: map[string]uint64{"full": 0, "late": 0, "gone": 0}} }

// Status is how a gate stands.
type Status struct {
	// Name of its work.
	Name string
	// Limit is how much is let in at a time, Room how much may wait.
	Limit, Room int
	// Inside and Queued are how much is under way and waits now.
	Inside, Queued int
	// Admitted and Refused since it was made; Refused does not count callers who
	// gave up while they waited.
	Admitted, Refused uint64
}

// Status is how the gate stands.
func (g *Gate) Status() Status {
	g.mu.Lock()
	defer g.mu.Unlock()
	return Status{Name: g.name, Limit: g.pace.limit(), Room: g.pace.room(), Inside: g.inside, Queued: g.queued,
		Admitted: g.counts.admitted, Refused: g.counts.refused["full"] + g.counts.refused["late"]}
}

// part puts gates on one line for people. Refusals degrade nothing: they are what
// keeps the rest well.
func part(gates ...*Gate) ops.Part {
	p := ops.Part{Name: "load"}
	for i, g := range gates {
		s := g.Status()
		if i > 0 {
			p.Text += "; "
		}
		p.Text += fmt.Sprintf("%s: %d under way of %d, %d wait, %d refused", s.Name, s.Inside, s.Limit, s.Queued, s.Refused)
		p.Figures = append(p.Figures,
			ops.Figure{Name: "load_" + s.Name + "_limit", Help: "How many " + s.Name + " are let in at a time.", Value: float64(s.Limit)},
			ops.Figure{Name: "load_" + s.Name + "_under_way", Help: "How many " + s.Name + " are under way.", Value: float64(s.Inside)},
			ops.Figure{Name: "load_" + s.Name + "_waiting", Help: "How many " + s.Name + " wait.", Value: float64(s.Queued)})
	}
	return p
}

var (
	describeAdmitted = prometheus.NewDesc("skald_load_admitted_total", "Calls that were let in.", []string{"work"}, nil)
	describeRefused  = prometheus.NewDesc("skald_load_refused_total",
		"Calls that were not let in: the queue was full, they waited too long (late), or their callers gave up (gone).", []string{"work", "why"}, nil)
)

// Describe implements prometheus.Collector.
func (f *Front) Describe(out chan<- *prometheus.Desc) {
	out <- describeAdmitted
	out <- describeRefused
	f.waited.Describe(out)
}

// Collect implements prometheus.Collector.
func (f *Front) Collect(out chan<- prometheus.Metric) {
	for _, g := range f.gates() {
		g.collect(out)
	}
	f.waited.Collect(out)
}

// newWaited is the histogram of waits by work.
func newWaited() *prometheus.HistogramVec {
	return prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "skald_load_queue_seconds", Help: "How long calls that were let in had waited.",
		Buckets: []float64{.0001, .001, .005, .01, .025, .05, .1, .25, .5, 1}}, []string{"work"})
}

func (g *Gate) collect(out chan<- prometheus.Metric) {
	g.mu.Lock()
	defer g.mu.Unlock()
	out <- prometheus.MustNewConstMetric(describeAdmitted, prometheus.CounterValue, float64(g.counts.admitted), g.name)
	// order-free: a registry sorts
	for why, n := range g.counts.refused {
		out <- prometheus.MustNewConstMetric(describeRefused, prometheus.CounterValue, float64(n), g.name, why)
	}
}
