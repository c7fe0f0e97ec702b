package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	healthv1 "google.golang.org/grpc/health/grpc_health_v1"

	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/rpc"
	"github.com/skaldrpg/skald/pkg/systems"
	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
	"github.com/skaldrpg/skald/services/injury"
)

// openLog connects to NATS and opens the stream; close ends the connection.
func openLog(ctx context.Context, o options, log *slog.Logger) (j *journal.Journal, closeLog func(), err error) {
	o.nats.Name = "skald-injury"
	nc, err := journal.Connect(ctx, o.natsURL, o.nats)
	if err != nil {
		return nil, nil, err
	}
	j, err = journal.Open(ctx, nc, journal.Config{Stream: "SKALD_0", Subjects: []string{journal.PartitionFilter(0)},
		Replicas: o.replicas, Create: o.create, Log: log})
	if err != nil {
		nc.Close()
		return nil, nil, err
	}
	return j, nc.Close, nil
}

func rebuild(ctx context.Context, errs io.Writer, o options) error {
	log, err := o.logger(errs)
	if err != nil {
		return err
	}
	j, closeLog, err := openLog(ctx, o, log)
	if err != nil {
		return err
	}
	defer closeLog()
	var total uint64
	err = injury.Rebuild(ctx, injury.Config{Journal: j, DataDir: o.data, Logger: log}, func(_, all uint64) { total = all })
	if err == nil {
		log.Info("rebuilt", "file", injury.File(o.data), "records", total)
	}
	return err
}

func run(ctx context.Context, errs io.Writer, o options) (err error) {
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
	j, closeLog, err := openLog(ctx, o, log)
	if err != nil {
		return err
	}
	defer closeLog()
	conn, err := rpc.Dial(o.dice, o.diceTLS, metrics.DialOptions()...)
	if err != nil {
		return err
	}
	defer conn.Close() //nolint:errcheck // nothing is in flight
	svc, err := injury.New(ctx, injury.Config{Journal: j, Dice: dicev1.NewDiceServiceClient(conn), Systems: systems.Registry(),
		DataDir: o.data, Logger: log})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, svc.Close()) }()
	server := rpc.NewServer(rpc.Options{Logger: log, Metrics: metrics, TLS: tls})
	svc.Register(server)
	return serve(ctx, log, svc, server, registry, o)
}

// serve runs the service until the context ends or a part fails by itself. The
// server stops before what it rests on.
func serve(ctx context.Context, log *slog.Logger, svc *injury.Service, server *rpc.Server, registry *prometheus.Registry, o options) error {
	l, err := net.Listen("tcp", o.listen)
	if err != nil {
		return fmt.Errorf("--listen: %w", err)
	}
	front, stopFront := context.WithCancel(ctx)
	defer stopFront()
	ended := make(chan error, 2)
	parts := 1
	go func() { ended <- rpc.Serve(front, server, l) }() // ends with front
	if o.metrics != "" {
		ml, err := net.Listen("tcp", o.metrics)
		if err != nil {
			stopFront()
			return errors.Join(fmt.Errorf("--metrics: %w", err), <-ended)
		}
		parts++
		go func() { ended <- rpc.ServeMetrics(front, ml, registry) }() // ends with front
	}
	back, stopBack := context.WithCancel(context.WithoutCancel(ctx))
	defer stopBack()
	ran := make(chan error, 1)
	go func() { ran <- svc.Run(back) }() // ends with back
	server.Health.SetServingStatus(injury.Name, healthv1.HealthCheckResponse_NOT_SERVING)
	go func() { // ends with front
		if svc.WaitReady(front) == nil {
			server.Health.SetServingStatus(injury.Name, healthv1.HealthCheckResponse_SERVING)
		}
	}()
	log.Info("injury service is up", "grpc", l.Addr().String(), "data", o.data)
	finished := false
	select {
	case <-ctx.Done():
	case err = <-ran:
		finished = true
	case err = <-ended:
		parts--
	}
	stopFront()
	for range parts {
		err = errors.Join(err, <-ended)
	}
	stopBack()
	if !finished {
		err = errors.Join(err, <-ran)
	}
	return err
}
