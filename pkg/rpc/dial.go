package rpc

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"time"

	"go.opentelemetry.io/contrib/instrumentation/google.golang.org/grpc/otelgrpc"
	"go.opentelemetry.io/otel/trace"
	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/test/bufconn"
)

// Dial makes a connection to a gRPC target ("host:port", "dns:///name:port").
// It connects lazily: the first call finds out whether anybody answers. Errors
// of its calls hold both the status and the fault. The caller closes it.
func Dial(target string, t TLSFiles, opts ...grpc.DialOption) (*grpc.ClientConn, error) {
	creds := insecure.NewCredentials()
	cfg, err := t.Client()
	if err != nil {
		return nil, err
	}
	if cfg != nil {
		creds = credentials.NewTLS(cfg)
	}
	all := append(clientOptions(), grpc.WithTransportCredentials(creds), grpc.WithConnectParams(again),
		grpc.WithKeepaliveParams(keepalive.ClientParameters{Time: 30 * time.Second, Timeout: 10 * time.Second}))
	conn, err := grpc.NewClient(target, append(all, opts...)...)
	if err != nil {
		return nil, fmt.Errorf("rpc: dial %q: %w", target, err)
	}
	return conn, nil
}

// again is how a lost connection is made anew: within a second or so after the
// other side is back, since a table waits for it.
var again = grpc.ConnectParams{MinConnectTimeout: 3 * time.Second,
	Backoff: backoff.Config{BaseDelay: 50 * time.Millisecond, Multiplier: 1.6, Jitter: 0.2, MaxDelay: time.Second}}

// clientOptions are those of every connection that this package makes.
func clientOptions() []grpc.DialOption {
	return []grpc.DialOption{
		grpc.WithChainUnaryInterceptor(faultUnary),
		grpc.WithChainStreamInterceptor(faultStream),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(DefaultMaxMessage), grpc.MaxCallSendMsgSize(DefaultMaxMessage)),
	}
}

// DialOptions count the calls of a connection.
func (m *Metrics) DialOptions() []grpc.DialOption {
	return []grpc.DialOption{
		grpc.WithChainUnaryInterceptor(m.client.UnaryClientInterceptor()),
		grpc.WithChainStreamInterceptor(m.client.StreamClientInterceptor()),
	}
}

// WithTracing makes spans for the calls of a connection.
func WithTracing(p trace.TracerProvider) grpc.DialOption {
	return grpc.WithStatsHandler(otelgrpc.NewClientHandler(otelgrpc.WithTracerProvider(p)))
}

// InProcess is a listener and the connections to it within one process: the
// same gRPC as over TCP, without a socket. One server serves on it.
type InProcess struct {
	listener *bufconn.Listener
	binding  sync.Once
	bound    chan struct{} // closed when server is set
	server   *Server
}

// NewInProcess makes one. Serve on its Listener ends it.
func NewInProcess() *InProcess {
	return &InProcess{listener: bufconn.Listen(256 << 10), bound: make(chan struct{})}
}

// pipe is the listener, as Serve sees it.
type pipe struct {
	*bufconn.Listener
	of *InProcess
}

// Listener is what Serve serves on.
func (p *InProcess) Listener() net.Listener { return &pipe{p.listener, p} }

// bind tells direct connections whose handlers they call.
func (p *InProcess) bind(s *Server) {
	p.binding.Do(func() {
		p.server = s
		close(p.bound)
	})
}

// Dial makes a connection, as the function Dial does. The caller closes it.
func (p *InProcess) Dial(opts ...grpc.DialOption) (*grpc.ClientConn, error) {
	all := append(clientOptions(), grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) { return p.listener.DialContext(ctx) }))
	conn, err := grpc.NewClient("passthrough:///in-process", append(all, opts...)...)
	if err != nil {
		return nil, fmt.Errorf("rpc: dial in process: %w", err)
	}
	return conn, nil
}

func faultUnary(ctx context.Context, method string, req, reply any, cc *grpc.ClientConn, next grpc.UnaryInvoker, opts ...grpc.CallOption) error {
	return remote(next(ctx, method, req, reply, cc, opts...))
}

func faultStream(ctx context.Context, desc *grpc.StreamDesc, cc *grpc.ClientConn, method string, next grpc.Streamer, opts ...grpc.CallOption) (grpc.ClientStream, error) {
	s, err := next(ctx, desc, cc, method, opts...)
	if err != nil {
		return nil, remote(err)
	}
	return &faultClientStream{s}, nil
}

type faultClientStream struct{ grpc.ClientStream }

// RecvMsg implements grpc.ClientStream; io.EOF, the regular end, stays itself.
func (s *faultClientStream) RecvMsg(m any) error { return keepEOF(s.ClientStream.RecvMsg(m)) }

// SendMsg implements grpc.ClientStream.
func (s *faultClientStream) SendMsg(m any) error { return keepEOF(s.ClientStream.SendMsg(m)) }

func keepEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return err
	}
	return remote(err)
}
