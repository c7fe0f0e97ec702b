package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/spf13/cobra"
	"google.golang.org/grpc"

	"github.com/skaldrpg/skald/cmd/skald/internal/allinone"
	"github.com/skaldrpg/skald/pkg/auth"
	"github.com/skaldrpg/skald/pkg/feed"
	"github.com/skaldrpg/skald/pkg/heap"
	"github.com/skaldrpg/skald/pkg/library/books"
	"github.com/skaldrpg/skald/pkg/limits"
	"github.com/skaldrpg/skald/pkg/load"
	"github.com/skaldrpg/skald/pkg/ops"
	"github.com/skaldrpg/skald/pkg/ops/opsapi"
	"github.com/skaldrpg/skald/pkg/rpc"
	"github.com/skaldrpg/skald/pkg/systems"
	"github.com/skaldrpg/skald/pkg/web"
)

// upConfig is what `skald up` was asked for.
type upConfig struct {
	listen, metrics string
	logLevel        string
	logJSON         bool
	stack           allinone.Config
	auth            auth.Options
	limits          rpc.Limits
	fightMiB        int64
	archive         string
	content         []string
	diskReserve     int64 // MiB
	diskLow         int64 // MiB
	heap            heap.Options
	feed            feedOptions
	web             web.Config
	onePort         bool
}

func (a *app) upCommand() *cobra.Command {
	u := upConfig{limits: rpc.DefaultLimits()}
	c := &cobra.Command{
		Use:   "up",
		Short: "Run everything in one process",
		Long: `Up runs NATS with JetStream, the dice, encounter and injury services, one gRPC
listener that serves them all with health and reflection, and one for browsers,
with a page and the same calls as Connect, gRPC-Web and JSON, until it is
interrupted. Everything it knows is below --data; --nats puts the log on a NATS
server elsewhere, and only caches and the master key of the dice stay here.

Without keys every caller is believed to be whom it says it is: so up listens on
this machine's own addresses only, unless --open says otherwise. With --auth-jwks
or --auth-secret every call needs a token (skald token).

With --feed a NATS server of its own has every step that spectators are told, for
programs without gRPC (docs/FEED.md). Its readers need the password of
feed.password in --data, and reach nothing else.`,
		Example: `  skald up
  skald up --data /var/lib/skald --listen 0.0.0.0:7700 --auth-jwks keys.json --tls-cert cert.pem --tls-key key.pem
  skald up --nats nats://nats:4222 --nats-creds skald.creds
  skald up --feed 127.0.0.1:7722`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.up(cmd.Context(), u) },
	}
	f := c.Flags()
	f.StringVar(&u.stack.DataDir, "data", "data", "folder for the journal, the projections and the master key")
	f.StringVar(&u.archive, "archive", "", "folder for the copy of the log outside NATS (default archive in --data); none keeps no copy")
	f.StringArrayVar(&u.content, "content", nil, "folder of a pack that every table may use, by name; repeat for several (skald content)")
	f.StringVar(&u.listen, "listen", defaultServer, "address of the public gRPC listener")
	u.web.Flags(f, web.DefaultListen)
	f.BoolVar(&u.onePort, "one-port", false, "serve browsers on --listen as well, instead of --web")
	f.StringVar(&u.metrics, "metrics", "", "address of GET /metrics; empty serves none")
	u.feed.flags(f)
	f.StringVar(&u.logLevel, "log-level", "info", "debug, info, warn or error")
	f.BoolVar(&u.logJSON, "log-json", false, "log JSON lines")
	u.auth.Flags(f)
	f.IntVar(&u.limits.PrincipalStreams, "streams", u.limits.PrincipalStreams, "watches and exports that one caller may have open")
	f.IntVar(&u.limits.ServerStreams, "server-streams", u.limits.ServerStreams, "those of all callers together")
	f.IntVar(&u.limits.PrincipalCalls, "calls", u.limits.PrincipalCalls, "other calls that one caller may have in flight")
	f.Int64Var(&u.fightMiB, "fight-memory", limits.FightMemoryBytes>>20, "MiB that fights in memory may take, those with open decisions included")
	u.heap.Flags(f)
	f.IntVar(&u.stack.Streams, "journal-streams", 1, "streams over which the journal spreads tables, at least; more can be made later, none is taken away")
	f.Int64Var(&u.diskReserve, "disk-reserve", 0, "MiB held back on the disk of the journal and given up last; 0 is 64, or a sixteenth of a smaller disk; -1 none")
	f.Int64Var(&u.diskLow, "disk-low", 0, "MiB of free room below which commands are refused; 0 is 64, or a 32nd of a smaller disk")
	natsFlags(f, &u.stack)
	return c
}

func (a *app) logger(level string, asJSON bool) (*slog.Logger, error) {
	var l slog.Level
	if err := l.UnmarshalText([]byte(level)); err != nil {
		return nil, usage("--log-level: want debug, info, warn or error, got %q", level)
	}
	o := &slog.HandlerOptions{Level: l}
	if asJSON {
		return slog.New(slog.NewJSONHandler(a.err, o)), nil
	}
	return slog.New(slog.NewTextHandler(a.err, o)), nil
}

func (a *app) up(ctx context.Context, u upConfig) (err error) {
	log, err := a.logger(u.logLevel, u.logJSON)
	if err != nil {
		return err
	}
	if err := u.heap.Set(log); err != nil {
		return &usageError{err}
	}
	tls, err := a.tls.Server()
	if err != nil {
		return &usageError{err}
	}
	registry := prometheus.NewRegistry()
	registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	metrics, err := rpc.NewMetrics(registry)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", u.listen)
	if err != nil {
		return usage("--listen: %v", err)
	}
	guard, err := auth.NewGuard(ctx, u.auth, listener.Addr(), log)
	if err != nil {
		return errors.Join(&usageError{err}, listener.Close())
	}
	if u.stack.Feed, err = u.feed.feed(tls, log); err != nil {
		return errors.Join(&usageError{err}, listener.Close())
	}
	browsers, err := u.openWeb(ctx, log)
	if err != nil {
		return errors.Join(&usageError{err}, listener.Close())
	}
	defer func() { err = errors.Join(err, browsers.close()) }()
	if u.stack.Packs, err = books.Given(books.BaseOf(systems.Registry()), u.content...); err != nil {
		return errors.Join(&usageError{err}, listener.Close())
	}
	u.stack.Logger, u.stack.FightMemory = log, u.fightMiB<<20
	u.stack.DiskReserve, u.stack.DiskLow = u.diskReserve<<20, u.diskLow<<20
	u.stack.Archive, u.stack.Board = archiveDir(u.archive, u.stack.DataDir), &ops.Board{}
	if err := registry.Register(opsapi.NewCollector(u.stack.Board)); err != nil {
		return errors.Join(fmt.Errorf("cli: metrics: %w", err), listener.Close())
	}
	stack, err := allinone.Start(ctx, u.stack)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	defer func() { err = errors.Join(err, stack.Close()) }()
	u.limits.Who = auth.Who
	front := load.NewFront()
	registry.MustRegister(front)
	u.stack.Board.Add(front.Part)
	server := rpc.NewServer(rpc.Options{Logger: log, Metrics: metrics, TLS: tls, Limits: u.limits.Raised(), Admit: front.Admit,
		Unary: []grpc.UnaryServerInterceptor{guard.Unary}, Stream: []grpc.StreamServerInterceptor{guard.Stream}})
	stack.Register(server)
	keeping, stopKeeping := context.WithCancel(ctx)
	kept := make(chan struct{})
	go func() { // ends with stopKeeping
		defer close(kept)
		guard.Run(keeping)
	}()
	defer func() { stopKeeping(); <-kept }()
	if err := browsers.make(server, guard.IsOpen(), tls, log); err != nil {
		return errors.Join(&usageError{err}, listener.Close())
	}
	log.Info("skald is up", "grpc", listener.Addr().String(), "web", browsers.address(listener), "data", u.stack.DataDir, "version", readVersion().Version, "pid", os.Getpid())
	if at := stack.FeedAddr(); at != "" {
		log.Info("the feed is up", "nats", at, "user", feed.ReaderName, "password", u.feed.passwordIn(u.stack.DataDir))
	}
	parts := []func(context.Context) error{func(ctx context.Context) error { return rpc.Serve(ctx, server, listener) }}
	if u.onePort {
		parts[0] = func(ctx context.Context) error { return browsers.site.Serve(ctx, listener) }
	} else if browsers.listener != nil {
		parts = append(parts, func(ctx context.Context) error { return browsers.site.Serve(ctx, browsers.listener) })
	}
	return serveUp(ctx, log, stack, parts, registry, u.metrics)
}

// archiveDir is the folder that --archive means.
func archiveDir(given, dataDir string) string {
	switch given {
	case "":
		return filepath.Join(dataDir, "archive")
	case "none":
		return ""
	}
	return given
}

// serveUp serves until the context ends or something fails by itself.
func serveUp(ctx context.Context, log *slog.Logger, stack *allinone.Stack, serve []func(context.Context) error, registry *prometheus.Registry, metricsAddr string) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var err error
	if metricsAddr != "" {
		ml, failed := net.Listen("tcp", metricsAddr)
		if failed != nil {
			err = usage("--metrics: %v", failed)
			cancel()
		} else {
			serve = append(serve, func(ctx context.Context) error { return rpc.ServeMetrics(ctx, ml, registry) })
		}
	}
	parts := len(serve)
	ended := make(chan error, parts)
	for _, one := range serve {
		go func() { ended <- one(ctx) }() // ends with ctx
	}
	select {
	case <-ctx.Done():
		log.Info("skald is going down")
	case err = <-stack.Failed():
	case err = <-ended:
		parts--
	}
	// Watches never end by themselves; without this the server would wait for them.
	stack.StopWatches()
	cancel()
	for range parts {
		err = errors.Join(err, <-ended)
	}
	if err != nil {
		return fmt.Errorf("cli: up: %w", err)
	}
	return nil
}
