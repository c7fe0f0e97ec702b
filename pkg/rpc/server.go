package rpc

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"runtime"
	"time"

	"go.opentelemetry.io/contrib/instrumentation/google.golang.org/grpc/otelgrpc"
	"go.opentelemetry.io/otel/trace"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/health"
	healthv1 "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/reflection"

	"github.com/skaldrpg/skald/pkg/limits"
)

// Defaults of Options.
const (
	DefaultMaxMessage  = limits.MessageBytes // bytes: the largest Commit, 8 MiB, and what goes with it
	DefaultStopTimeout = 10 * time.Second    // for calls in flight
)

// Options configures a server. The zero value serves plain text without metrics
// and tracing and logs to slog.Default.
type Options struct {
	// Logger receives one line a call: method, code, duration.
	Logger *slog.Logger
	// Metrics counts calls; nil counts nothing. Servers of one process share it.
	Metrics *Metrics
	// Tracer makes spans; nil makes none.
	Tracer trace.TracerProvider
	// TLS is the server's TLS configuration (see TLSFiles.Server); nil is plain text.
	TLS *tls.Config
	// MaxMessage bounds a message in either direction, bytes; 0 is DefaultMaxMessage.
	MaxMessage int
	// StopTimeout bounds how long Serve waits for calls in flight; 0 is DefaultStopTimeout.
	StopTimeout time.Duration
	// Limits bounds what callers may have in flight; nil bounds nothing, for
	// services among themselves.
	Limits *Limits
	// Admit, if any, lets unary calls in, after everything else has let them
	// through: leave (nil for calls that are not counted) is called when the call has
	// been answered. It belongs on servers for callers alone.
	Admit func(ctx context.Context, method string, req any) (leave func(), err error)
	// Unary and Stream run inside those of this package, so that their errors
	// are mapped and their panics caught: authentication belongs here.
	Unary  []grpc.UnaryServerInterceptor
	Stream []grpc.StreamServerInterceptor
}

// Server is a grpc.Server with the health service that it answers from.
// Register services before Serve.
type Server struct {
	*grpc.Server
	// Health sets what the health service answers; the overall status (service
	// "") starts as SERVING and becomes NOT_SERVING when Serve begins to stop.
	Health *health.Server

	metrics     *Metrics
	stopTimeout time.Duration
	codec       *codec
	inside      inside

	// For connections that call handlers directly.
	limited bool
	direct  *inflight
}

// NewServer makes a server with the health and reflection services registered.
func NewServer(o Options) *Server {
	if o.Logger == nil {
		o.Logger = slog.Default()
	}
	if o.MaxMessage <= 0 {
		o.MaxMessage = DefaultMaxMessage
	}
	if o.StopTimeout <= 0 {
		o.StopTimeout = DefaultStopTimeout
	}
	w := &watcher{log: o.Logger}
	// Outermost first: metrics see the final status, the watcher maps and logs,
	// recovery catches what the caller's interceptors and handlers throw; those
	// see only requests that could be read.
	var calls []grpc.UnaryServerInterceptor
	var stream []grpc.StreamServerInterceptor
	if o.Metrics != nil {
		calls = append(calls, o.Metrics.server.UnaryServerInterceptor())
		stream = append(stream, o.Metrics.server.StreamServerInterceptor())
	}
	r := requests{newCodec()}
	calls, stream = append(calls, w.unary, recoverUnary), append(stream, w.stream, recoverStream)
	var l *limiter
	if o.Limits != nil {
		l = newLimiter(*o.Limits)
		calls, stream = append(calls, l.connectionUnary), append(stream, l.connectionStream)
	}
	calls, stream = append(append(calls, r.unary), o.Unary...), append(append(stream, r.stream), o.Stream...)
	if l != nil { // by now it is known who calls
		calls, stream = append(calls, l.principalUnary), append(stream, l.principalStream)
	}
	if o.Admit != nil {
		calls = append(calls, admission(o.Admit))
	}
	within := inside{unary: chainUnary(calls), stream: chainStream(stream), methods: map[string]called{}}
	opts := []grpc.ServerOption{
		grpc.UnaryInterceptor(within.unary),
		grpc.StreamInterceptor(within.stream),
		grpc.ForceServerCodecV2(r.codec),
		grpc.MaxRecvMsgSize(o.MaxMessage),
		grpc.MaxSendMsgSize(o.MaxMessage),
		grpc.NumStreamWorkers(uint32(2 * runtime.GOMAXPROCS(0))), //nolint:gosec // small; calls beyond have goroutines of their own
		grpc.KeepaliveParams(keepalive.ServerParameters{Time: 30 * time.Second, Timeout: 10 * time.Second}),
		grpc.KeepaliveEnforcementPolicy(keepalive.EnforcementPolicy{MinTime: 10 * time.Second, PermitWithoutStream: true}),
	}
	if l != nil {
		opts = append(opts, grpc.StatsHandler(connections{}), grpc.MaxConcurrentStreams(limits.TransportStreams))
	}
	if o.TLS != nil {
		opts = append(opts, grpc.Creds(credentials.NewTLS(o.TLS)))
	}
	if o.Tracer != nil {
		within.tracer = otelgrpc.NewServerHandler(otelgrpc.WithTracerProvider(o.Tracer))
		opts = append(opts, grpc.StatsHandler(within.tracer))
	}
	s := &Server{Server: grpc.NewServer(opts...), Health: health.NewServer(), metrics: o.Metrics, stopTimeout: o.StopTimeout, codec: r.codec, inside: within,
		limited: l != nil, direct: newInflight()}
	healthv1.RegisterHealthServer(s, s.Health)
	reflection.Register(s)
	return s
}

// Begin counts what no call has asked for yet as zero, once all services are
// registered. Serve does it.
func (s *Server) Begin() {
	if s.metrics != nil {
		s.metrics.server.InitializeMetrics(s.Server)
	}
}

// Serve serves on the listener until ctx ends, then tells health checks so,
// refuses new calls and waits for those in flight, at most the server's stop
// timeout, before it cuts them. It returns nil after such an end and the
// listener's error otherwise. The listener is closed either way.
func Serve(ctx context.Context, s *Server, l net.Listener) error {
	s.Begin()
	if p, ok := l.(*pipe); ok {
		p.of.bind(s)
	}
	served := make(chan error, 1)
	go func() { served <- s.Server.Serve(l) }() // ends with Stop, below
	select {
	case err := <-served:
		s.Stop()
		s.direct.end()
		s.direct.cut()
		return fmt.Errorf("rpc: serve on %s: %w", l.Addr(), err)
	case <-ctx.Done():
	}
	s.Health.Shutdown()
	s.wind()
	if err := <-served; err != nil && !errors.Is(err, grpc.ErrServerStopped) {
		return fmt.Errorf("rpc: serve on %s: %w", l.Addr(), err)
	}
	return nil
}

// wind waits for the calls in flight, at most the stop timeout, and cuts what is left.
func (s *Server) wind() {
	stopped, direct := make(chan struct{}), s.direct.end()
	go func() { // ends when the last call does, or with Stop
		s.GracefulStop()
		close(stopped)
	}()
	timer := time.NewTimer(s.stopTimeout)
	defer timer.Stop()
	for _, done := range []<-chan struct{}{stopped, direct} {
		select {
		case <-done:
		case <-timer.C:
			s.direct.cut()
			s.Stop()
			<-stopped
			return
		}
	}
}
