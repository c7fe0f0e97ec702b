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
	"github.com/skaldrpg/skald/services/dice"
)

// openLog connects to NATS and opens the stream; close ends the connection.
func openLog(ctx context.Context, o options, log *slog.Logger) (j *journal.Journal, closeLog func(), err error) {
	o.nats.Name = "skald-dice"
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
	err = dice.Rebuild(ctx, dice.Config{Journal: j, DataDir: o.data, Logger: log}, func(_, all uint64) { total = all })
	if err == nil {
		log.Info("rebuilt", "file", dice.File(o.data), "records", total)
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
	server := rpc.NewServer(rpc.Options{Logger: log, Metrics: metrics, TLS: tls})
	svc, err := dice.New(ctx, dice.Config{Journal: j, DataDir: o.data, MasterKeys: o.keys, MasterKeyFile: o.keyFile,
		CreateMasterKey: o.createKey, Alone: o.alone, Logger: log, OnHealth: func(err error) { report(server, err) }})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, svc.Close()) }()
	svc.Register(server)
	return serve(ctx, log, svc, server, registry, o)
}

// report tells health checks how the service is.
func report(server *rpc.Server, err error) {
	status := healthv1.HealthCheckResponse_SERVING
	if err != nil {
		status = healthv1.HealthCheckResponse_NOT_SERVING
	}
	server.Health.SetServingStatus(dice.Name, status)
}

// serve runs the service until the context ends or a part fails by itself. The
// server stops before what it rests on.
func serve(ctx context.Context, log *slog.Logger, svc *dice.Service, server *rpc.Server, registry *prometheus.Registry, o options) error {
	l, err := net.Listen("tcp", o.listen)
	if err != nil {
		return fmt.Errorf("--listen: %w", err)
	}
	front, stopFront := context.WithCancel(ctx)
	defer stopFront()
	ended := make(chan error, 2)
	parts := 1
	server.Health.SetServingStatus(dice.Name, healthv1.HealthCheckResponse_NOT_SERVING)
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
	go func() {                          // ends with front
		if svc.Ready(front) == nil {
			report(server, svc.Err())
		}
	}()
	log.Info("dice service is up", "grpc", l.Addr().String(), "data", o.data)
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
