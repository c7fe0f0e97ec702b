package daemon

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"sync"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/rpc"
)

// maxMessage bounds a gRPC message, bytes: an exported Commit may be as large as
// the journal's messages, and has something around it.
const maxMessage = journal.MaxMessage + 1<<20

// run makes the service and serves it until the context ends.
func run(ctx context.Context, errs io.Writer, spec Spec, o *options) (err error) {
	log, err := o.logger(errs)
	if err != nil {
		return err
	}
	registry := prometheus.NewRegistry()
	registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	metrics, err := rpc.NewMetrics(registry)
	if err != nil {
		return err
	}
	tls, err := o.tls.Server()
	if err != nil {
		return err
	}
	j, closeStream, err := o.openStream(ctx, spec.Name, log)
	if err != nil {
		return err
	}
	defer closeStream()
	conns, closeConns, err := o.dial(metrics)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeConns()) }()
	server := rpc.NewServer(rpc.Options{Logger: log, Metrics: metrics, TLS: tls, MaxMessage: maxMessage, Limits: o.limits.Raised()})
	health := newState(server.Health, spec.Health, log)
	svc, err := spec.Open(ctx, Env{Journal: j, DataDir: o.data, Logger: log, Peers: conns, Health: health.report})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, svc.Close()) }()
	svc.Register(server)
	if err := health.gauges(registry, svc.Status); err != nil {
		return fmt.Errorf("daemon: metrics: %w", err)
	}
	d := &daemon{spec: spec, options: o, log: log, service: svc, server: server, health: health, journal: j, registry: registry}
	return d.serve(ctx)
}

// daemon is a service with everything around it.
type daemon struct {
	spec     Spec
	options  *options
	log      *slog.Logger
	service  Service
	server   *rpc.Server
	health   *state
	journal  *journal.Journal
	registry *prometheus.Registry
}

// listen opens the listeners; that of the metrics is nil when there is none.
func (d *daemon) listen() (calls, metrics net.Listener, err error) {
	if calls, err = net.Listen("tcp", d.options.listen); err != nil {
		return nil, nil, fmt.Errorf("daemon: --listen: %w", err)
	}
	if d.options.metrics == "" {
		return calls, nil, nil
	}
	if metrics, err = net.Listen("tcp", d.options.metrics); err != nil {
		return nil, nil, errors.Join(fmt.Errorf("daemon: --metrics: %w", err), calls.Close())
	}
	return calls, metrics, nil
}

// serve runs everything until the context ends or a part fails by itself. The
// server stops before what it rests on.
func (d *daemon) serve(ctx context.Context) error {
	calls, metrics, err := d.listen()
	if err != nil {
		return err
	}
	front, stopFront := context.WithCancel(ctx)
	defer stopFront()
	back, stopBack := context.WithCancel(context.WithoutCancel(ctx))
	defer stopBack()
	failed := make(chan error, 3)
	var fronts, backs sync.WaitGroup
	start := func(wg *sync.WaitGroup, fn func() error) {
		wg.Go(func() { failed <- fn() }) // ends with front or back
	}
	start(&fronts, func() error { return rpc.Serve(front, d.server, calls) })
	parts := 2
	if metrics != nil {
		parts++
		start(&fronts, func() error { return rpc.ServeMetrics(front, metrics, d.registry) })
	}
	start(&backs, func() error { return d.service.Run(back) })
	fronts.Go(func() { // ends with front
		if d.service.Ready(front) == nil {
			d.health.isReady()
		}
	})
	fronts.Go(func() { d.health.watchStream(front, d.journal) }) // ends with front
	attributes := []any{"grpc", calls.Addr().String(), "data", d.options.data}
	if metrics != nil {
		attributes = append(attributes, "metrics", metrics.Addr().String())
	}
	d.log.Info(d.spec.Title+" is up", attributes...)

	select {
	case <-ctx.Done():
	case err = <-failed:
		parts--
	}
	d.log.Info(d.spec.Title + " is going down")
	if d.service.Stop != nil {
		d.service.Stop() // without this the server would wait for calls that never end
	}
	stopFront()
	fronts.Wait()
	stopBack()
	backs.Wait()
	for range parts {
		err = errors.Join(err, <-failed)
	}
	return err
}
