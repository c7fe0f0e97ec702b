package cli

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/spf13/cobra"
	"google.golang.org/grpc"
	healthv1 "google.golang.org/grpc/health/grpc_health_v1"

	"github.com/skaldrpg/skald/pkg/archive"
	"github.com/skaldrpg/skald/pkg/auth"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/ops"
	"github.com/skaldrpg/skald/pkg/ops/opsapi"
	"github.com/skaldrpg/skald/pkg/rpc"
)

// archiveHealth is the name that health checks ask for.
const archiveHealth = "skald.archive"

// archiveConfig is what `skald archive` was asked for.
type archiveConfig struct {
	to, listen, metrics string
	logLevel            string
	logJSON             bool
	natsURL             string
	nats                journal.ConnectOptions
	auth                auth.Options
}

func (a *app) archiveCommand() *cobra.Command {
	var cfg archiveConfig
	c := &cobra.Command{
		Use:   "archive",
		Short: "Keep a copy of the log of a NATS server in a folder, as it grows",
		Long: `Archive follows the log on a NATS server and writes every record, within a second,
to plain append-only files with checksums, until it is interrupted: the copy that
outlives the server. It needs credentials that may only read. skald restore makes
the stream again from the folder. skald up archives by itself (--archive).

A full or missing disk does not end it: it says so in skald status, in its
metrics and to health checks of ` + archiveHealth + `, and goes on when there is room. A log
that is not the one archived stops the copying, and nothing is changed.`,
		Example: "  skald archive --nats nats://nats:4222 --nats-user archive --to /var/lib/skald-archive",
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.archive(cmd.Context(), cfg) },
	}
	c.AddCommand(a.archiveHealthCommand(&cfg.listen), a.archiveEraseCommand())
	f := c.Flags()
	f.StringVar(&cfg.to, "to", "", "folder of the archive")
	f.StringVar(&cfg.listen, "listen", "127.0.0.1:7704", "address of the gRPC listener for health and status")
	f.StringVar(&cfg.metrics, "metrics", "", "address of GET /metrics; empty serves none")
	f.StringVar(&cfg.logLevel, "log-level", "info", "debug, info, warn or error")
	f.BoolVar(&cfg.logJSON, "log-json", false, "log JSON lines")
	credentialFlags(f, &cfg.natsURL, &cfg.nats)
	cfg.auth.Flags(f)
	cfg.nats.Name = "skald-archive"
	return c
}

// archiveHealthCommand is what container engines run, since the image holds no
// other program.
func (a *app) archiveHealthCommand(listen *string) *cobra.Command {
	return &cobra.Command{
		Use:   "health",
		Short: "Ask a running skald archive whether it follows the log",
		Long: `Health asks --server, by default this machine's port 7704, and ends with 0 when the
archive follows the log.`,
		Example: "  skald archive health",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if a.server == "" {
				a.server = *listen
			}
			return a.connected(cmd.Context(), needServer, func(ctx context.Context, conn grpc.ClientConnInterface) error {
				ctx, cancel := a.call(ctx)
				defer cancel()
				reply, err := healthv1.NewHealthClient(conn).Check(ctx, &healthv1.HealthCheckRequest{Service: archiveHealth})
				if err != nil {
					return err
				}
				if err := a.answer(reply, func() string { return archiveHealth + " " + reply.GetStatus().String() + "\n" }); err != nil {
					return err
				}
				if reply.GetStatus() != healthv1.HealthCheckResponse_SERVING {
					return &failedError{"the archive does not follow the log"}
				}
				return nil
			})
		},
	}
}

func (a *app) archive(ctx context.Context, cfg archiveConfig) (err error) {
	log, err := a.logger(cfg.logLevel, cfg.logJSON)
	if err != nil {
		return err
	}
	if cfg.to == "" || cfg.natsURL == "" {
		return usage("archive wants --nats and --to")
	}
	tls, err := a.tls.Server()
	if err != nil {
		return &usageError{err}
	}
	nc, err := journal.Connect(ctx, cfg.natsURL, cfg.nats)
	if err != nil {
		return err
	}
	defer nc.Close()
	board := &ops.Board{}
	streams, err := journal.OpenSet(ctx, nc, journal.SetConfig{Log: log})
	if err != nil {
		return err
	}
	watch := opsapi.NewJournals(streams)
	board.AddAll(watch.Parts)
	fleet := archive.NewFleet(cfg.to, streams, board, log)
	defer fleet.Close() //nolint:errcheck // what was written is synced by then
	loops := []func(context.Context) error{fleet.Run, watch.Run, followStreams(streams)}
	l, err := net.Listen("tcp", cfg.listen)
	if err != nil {
		return usage("--listen: %v", err)
	}
	guard, err := auth.NewGuard(ctx, cfg.auth, l.Addr(), log)
	if err != nil {
		return errors.Join(&usageError{err}, l.Close())
	}
	registry := prometheus.NewRegistry()
	registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}), opsapi.NewCollector(board))
	server := rpc.NewServer(rpc.Options{Logger: log, TLS: tls, Unary: []grpc.UnaryServerInterceptor{guard.Unary}, Stream: []grpc.StreamServerInterceptor{guard.Stream}})
	opsapi.Register(server, board)
	log.Info("the archive is up", "grpc", l.Addr().String(), "to", cfg.to)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var wg sync.WaitGroup
	for _, loop := range loops {
		wg.Go(func() { loop(ctx) }) //nolint:errcheck // both end with ctx alone
	}
	wg.Go(func() { guard.Run(ctx) })
	wg.Go(func() { healthOf(ctx, server, board) })
	defer wg.Wait()
	defer cancel()
	return serveArchive(ctx, server, l, registry, cfg.metrics)
}

// followStreams looks now and then for streams that were made meanwhile.
func followStreams(streams *journal.Set) func(context.Context) error {
	return func(ctx context.Context) error {
		tick := time.NewTicker(10 * time.Second)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return nil
			case <-tick.C:
				streams.Refresh(ctx) //nolint:errcheck // tried again soon, and the watch over the journal tells
			}
		}
	}
}

// healthOf answers health checks of the archive: it serves while all is fine.
func healthOf(ctx context.Context, server *rpc.Server, board *ops.Board) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		status := healthv1.HealthCheckResponse_SERVING
		if ops.Worst(board.Parts()) != ops.Fine {
			status = healthv1.HealthCheckResponse_NOT_SERVING
		}
		server.Health.SetServingStatus(archiveHealth, status)
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

func serveArchive(ctx context.Context, server *rpc.Server, l net.Listener, registry *prometheus.Registry, metricsAddr string) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ended := make(chan error, 2)
	parts := 1
	go func() { ended <- rpc.Serve(ctx, server, l) }() // ends with ctx
	if metricsAddr != "" {
		ml, err := net.Listen("tcp", metricsAddr)
		if err != nil {
			cancel()
			return errors.Join(usage("--metrics: %v", err), <-ended)
		}
		parts++
		go func() { ended <- rpc.ServeMetrics(ctx, ml, registry) }() // ends with ctx
	}
	err := <-ended
	cancel()
	for range parts - 1 {
		err = errors.Join(err, <-ended)
	}
	if err != nil {
		return fmt.Errorf("cli: archive: %w", err)
	}
	return nil
}
