package rpc

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	grpcprom "github.com/grpc-ecosystem/go-grpc-middleware/providers/prometheus"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Metrics counts the calls of every server and client of a process by service,
// method and code, with a histogram of durations in seconds. The names are those
// of the gRPC ecosystem's Prometheus middleware (grpc_server_handled_total, ...),
// so that ready-made dashboards work.
type Metrics struct {
	server *grpcprom.ServerMetrics
	client *grpcprom.ClientMetrics
}

// NewMetrics registers the metrics. Call it once a registry; it fails when they
// are registered already.
func NewMetrics(r prometheus.Registerer) (*Metrics, error) {
	// In process a call takes tens of microseconds, an amend of a long fight seconds.
	buckets := []float64{.00005, .0001, .00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10}
	m := &Metrics{
		server: grpcprom.NewServerMetrics(grpcprom.WithServerHandlingTimeHistogram(grpcprom.WithHistogramBuckets(buckets))),
		client: grpcprom.NewClientMetrics(grpcprom.WithClientHandlingTimeHistogram(grpcprom.WithHistogramBuckets(buckets))),
	}
	for _, c := range []prometheus.Collector{m.server, m.client} {
		if err := r.Register(c); err != nil {
			return nil, fmt.Errorf("rpc: metrics: %w", err)
		}
	}
	return m, nil
}

// ServeMetrics answers GET /metrics from the registry on the listener until ctx
// ends. It returns nil after such an end.
func ServeMetrics(ctx context.Context, l net.Listener, g prometheus.Gatherer) error {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(g, promhttp.HandlerOpts{}))
	srv := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	served := make(chan error, 1)
	go func() { served <- srv.Serve(l) }() // ends with Close, below
	select {
	case err := <-served:
		return fmt.Errorf("rpc: metrics on %s: %w", l.Addr(), err)
	case <-ctx.Done():
	}
	err := srv.Close()
	<-served
	if err != nil && !errors.Is(err, net.ErrClosed) {
		return fmt.Errorf("rpc: metrics: %w", err)
	}
	return nil
}
