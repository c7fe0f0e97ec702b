package opsapi

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/skaldrpg/skald/pkg/ops"
)

// Collector makes a board's parts metrics: skald_part_state{part} (0 fine, 1
// degraded, 2 failed), skald_closed_records{part} and skald_FIGURE{part}.
type Collector struct{ board *ops.Board }

// NewCollector is a collector of the board, for a registry.
func NewCollector(b *ops.Board) Collector { return Collector{board: b} }

// Describe describes nothing: parts come and go, so the metrics are unchecked.
func (Collector) Describe(chan<- *prometheus.Desc) {}

// Collect asks every part.
func (c Collector) Collect(out chan<- prometheus.Metric) {
	seen := map[[2]string]bool{}
	gauge := func(name, help, part string, value float64) {
		if seen[[2]string{name, part}] {
			return // two parts of one name: a scrape must not fail for it
		}
		seen[[2]string{name, part}] = true
		m, err := prometheus.NewConstMetric(prometheus.NewDesc("skald_"+name, help, []string{"part"}, nil), prometheus.GaugeValue, value, part)
		if err == nil {
			out <- m
		}
	}
	help := map[string]string{} // one help for each name, whoever gives it
	for _, p := range c.board.Parts() {
		gauge("part_state", "How a part stands: 0 fine, 1 degraded, 2 failed.", p.Name, float64(p.State))
		for _, f := range p.Figures {
			if help[f.Name] == "" {
				help[f.Name] = f.Help
			}
			gauge(f.Name, help[f.Name], p.Name, f.Value)
		}
		// Not where the part has a figure of it, which counts more than are listed.
		gauge("closed_records", "Encounters, patients and sets of dice that are closed because their record is broken.", p.Name, float64(len(p.Closed)))
	}
}
