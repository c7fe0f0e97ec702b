package daemon

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"google.golang.org/grpc/health"
	healthv1 "google.golang.org/grpc/health/grpc_health_v1"

	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/projection"
)

// checkEvery is how often the live stream is compared with what it must be.
const checkEvery = 30 * time.Second

// state joins what decides whether a service is healthy: it has read the log to
// its end once, nothing is wrong with it, and the stream is as it must be.
type state struct {
	server   *health.Server
	services []string
	log      *slog.Logger

	mu      sync.Mutex
	ready   bool
	service error
	stream  error
}

func newState(s *health.Server, services []string, log *slog.Logger) *state {
	h := &state{server: s, services: services, log: log}
	h.set(func() {})
	return h
}

// set changes the state and tells health checks.
func (h *state) set(change func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	change()
	status := healthv1.HealthCheckResponse_NOT_SERVING
	if h.ok() {
		status = healthv1.HealthCheckResponse_SERVING
	}
	for _, name := range h.services {
		h.server.SetServingStatus(name, status)
	}
}

func (h *state) ok() bool { return h.ready && h.service == nil && h.stream == nil }

func (h *state) isReady() { h.set(func() { h.ready = true }) }

func (h *state) report(err error) { h.set(func() { h.service = err }) }

// checkStream takes the outcome of one comparison. That nobody answered says
// nothing about the stream: what needs it will fail by itself, and reads go on.
func (h *state) checkStream(ctx context.Context, err error) {
	if err != nil && (ctx.Err() != nil || errors.Is(err, journal.ErrUnavailable)) {
		return
	}
	if err != nil {
		h.log.ErrorContext(ctx, "the stream is not what it must be", "error", err)
	}
	h.set(func() { h.stream = err })
}

// watchStream compares again and again until ctx ends.
func (h *state) watchStream(ctx context.Context, j *journal.Set) {
	tick := time.NewTicker(checkEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			h.checkStream(ctx, j.Verify(ctx))
		}
	}
}

// gauges makes the health and the cache's position visible as metrics.
func (h *state) gauges(r prometheus.Registerer, status func() projection.Status) error {
	gauge := func(name, help string, value func() float64) error {
		return r.Register(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Namespace: "skald", Name: name, Help: help}, value))
	}
	return errors.Join(
		gauge("healthy", "1 when health checks answer SERVING.", func() float64 {
			h.mu.Lock()
			defer h.mu.Unlock()
			return one(h.ok())
		}),
		gauge("projection_applied_sequence", "Stream sequence of the last record in the cache.",
			func() float64 { return float64(status().Applied) }),
		gauge("projection_moved_aside", "1 when an unusable cache was moved aside at the start.",
			func() float64 { return one(status().MovedAside != "") }),
	)
}

func one(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
