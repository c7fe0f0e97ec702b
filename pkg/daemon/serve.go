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

	"github.com/skaldrpg/skald/pkg/auth"
	"github.com/skaldrpg/skald/pkg/crew"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/load"
	"github.com/skaldrpg/skald/pkg/ops"
	"github.com/skaldrpg/skald/pkg/ops/opsapi"
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
	if err := o.heap.Set(log); err != nil {
		return fmt.Errorf("daemon: %w", err)
	}
	registry := prometheus.NewRegistry()
	registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	metrics, err := rpc.NewMetrics(registry)
	if err != nil {
		return err
	}
	l, err := o.listen(spec)
	if err != nil {
		return err
	}
	defer l.close() // what is served is closed by then
	guard, err := auth.NewGuard(ctx, o.auth, l.calls.Addr(), log)
	if err != nil {
		return fmt.Errorf("daemon: %w", err)
	}
	key, err := o.internal.identity(spec, o, guard, l.internal)
	if err != nil {
		return err
	}
	front := load.NewFront()
	registry.MustRegister(front)
	server, internal, err := o.servers(rpc.Options{Logger: log, Metrics: metrics, MaxMessage: maxMessage}, l, guard, key, front)
	if err != nil {
		return err
	}
	streams, nc, err := o.openStreams(ctx, spec.Name, log)
	if err != nil {
		return err
	}
	defer nc.Close()
	conns, closeConns, err := o.dial(metrics, key)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeConns()) }()
	others, err := o.join(spec, nc, l, key, metrics, log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, others.close()) }()
	board := &ops.Board{}
	watch := opsapi.NewJournals(streams)
	health := newState(server.Health, spec.Health, log)
	env := Env{Streams: streams, DataDir: o.data, Logger: log, Clock: o.clock(), Peers: conns, Board: board, Health: health.report}
	if others.crew != nil {
		env.Crew, env.Lines, env.InternalLines, env.Idle = others.crew, others.calls, others.internal, o.crew.idle
	}
	svc, err := spec.Open(ctx, env)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, svc.Close()) }()
	board.AddAll(watch.Parts)
	board.Add(front.Part)
	if svc.Parts != nil {
		board.AddAll(svc.Parts)
	}
	svc.Register(server)
	opsapi.Register(server, board)
	if svc.RegisterInternal != nil {
		svc.RegisterInternal(internal)
	}
	if err := errors.Join(health.gauges(registry, svc.Status), registry.Register(opsapi.NewCollector(board))); err != nil {
		return fmt.Errorf("daemon: metrics: %w", err)
	}
	d := &daemon{spec: spec, options: o, log: log, service: svc, server: server, internal: internal, listeners: l, guard: guard,
		health: health, streams: streams, crew: others.crew, watch: watch, registry: registry}
	return d.serve(ctx)
}

// servers makes the one for callers and the one for the other services.
func (o *options) servers(common rpc.Options, l listeners, guard *auth.Guard, key *auth.ServiceKey, front *load.Front) (public, internal *rpc.Server, err error) {
	callers := common
	if callers.TLS, err = o.tls.Server(); err != nil {
		return nil, nil, err
	}
	o.limits.Who = auth.Who
	callers.Limits, callers.Admit = o.limits.Raised(), front.Admit
	callers.Unary = append(callers.Unary, guard.Unary)
	callers.Stream = append(callers.Stream, guard.Stream)
	services := common
	if l.internal != nil {
		if services.TLS, err = o.internal.tls.Server(); err != nil {
			return nil, nil, err
		}
	}
	if key != nil {
		services.Unary = append(services.Unary, key.Unary)
		services.Stream = append(services.Stream, key.Stream)
	}
	return rpc.NewServer(callers), rpc.NewServer(services), nil
}

// daemon is a service with everything around it.
type daemon struct {
	spec     Spec
	options  *options
	log      *slog.Logger
	service  Service
	server   *rpc.Server
	internal *rpc.Server
	listeners
	guard    *auth.Guard
	health   *state
	streams  *journal.Set
	crew     *crew.Crew
	watch    *opsapi.Journals
	registry *prometheus.Registry
}

// listeners of a daemon; those that it has no use for are nil.
type listeners struct{ calls, internal, metrics net.Listener }

func (l listeners) close() {
	for _, one := range []net.Listener{l.calls, l.internal, l.metrics} {
		if one != nil {
			one.Close() //nolint:errcheck // it may be closed already
		}
	}
}

func (o *options) listen(spec Spec) (l listeners, err error) {
	open := func(flag, address string) (one net.Listener) {
		if address == "" || err != nil {
			return nil
		}
		one, e := net.Listen("tcp", address)
		if e != nil {
			err = fmt.Errorf("daemon: --%s: %w", flag, e)
			return nil
		}
		return one
	}
	l.calls = open("listen", o.listenOn)
	if spec.InternalListen != "" {
		l.internal = open("internal-listen", o.internal.listenOn)
	}
	l.metrics = open("metrics", o.metrics)
	if err == nil && l.calls == nil {
		err = errors.New("daemon: --listen: missing")
	}
	if err != nil {
		l.close()
	}
	return l, err
}

// serve runs everything until the context ends or a part fails by itself. The
// server stops before what it rests on.
func (d *daemon) serve(ctx context.Context) (err error) {
	front, stopFront := context.WithCancel(ctx)
	defer stopFront()
	back, stopBack := context.WithCancel(context.WithoutCancel(ctx))
	defer stopBack()
	failed := make(chan error, 5)
	var fronts, backs sync.WaitGroup
	start := func(wg *sync.WaitGroup, fn func() error) {
		wg.Go(func() { failed <- fn() }) // ends with front or back
	}
	start(&fronts, func() error { return rpc.Serve(front, d.server, d.calls) })
	start(&fronts, func() error { return d.crew.Run(front) }) // says that it goes before it stops to answer
	parts := 3
	if d.listeners.internal != nil {
		parts++
		start(&fronts, func() error { return rpc.Serve(front, d.internal, d.listeners.internal) })
	}
	if d.metrics != nil {
		parts++
		start(&fronts, func() error { return rpc.ServeMetrics(front, d.metrics, d.registry) })
	}
	start(&backs, func() error { return d.service.Run(back) })
	fronts.Go(func() { // ends with front
		if d.service.Ready(front) == nil {
			d.health.isReady()
		}
	})
	fronts.Go(func() { d.health.watchStream(front, d.streams) }) // ends with front
	fronts.Go(func() { d.watch.Run(front) })                     //nolint:errcheck // it only ever ends with front
	fronts.Go(func() { d.guard.Run(front) })                     // ends with front
	attributes := []any{"grpc", d.calls.Addr().String(), "data", d.options.data}
	if d.listeners.internal != nil {
		attributes = append(attributes, "internal", d.listeners.internal.Addr().String())
	}
	if d.metrics != nil {
		attributes = append(attributes, "metrics", d.metrics.Addr().String())
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
