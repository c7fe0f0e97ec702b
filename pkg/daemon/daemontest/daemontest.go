// Package daemontest runs the commands of package daemon in tests: over TCP,
// against a NATS server with a port. It must never be imported by a program.
package daemontest

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"regexp"
	"sync"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"google.golang.org/grpc"
	healthv1 "google.golang.org/grpc/health/grpc_health_v1"

	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/rpc"
)

// limit bounds each wait.
const limit = 60 * time.Second

// Command makes a service's command, as its main does.
type Command func(out, errs io.Writer, args []string) *cobra.Command

// NATS starts a server for the test and returns its URL.
func NATS(t testing.TB) string {
	t.Helper()
	e, err := journal.StartEmbedded(t.Context(), journal.EmbeddedConfig{StoreDir: t.TempDir(), Port: -1}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Stop(); err != nil {
			t.Error(err)
		}
	})
	return e.URL()
}

// Log collects what a command logs and tells when a line has come.
type Log struct {
	mu   sync.Mutex
	text bytes.Buffer
	more chan struct{}
}

// NewLog makes an empty one.
func NewLog() *Log { return &Log{more: make(chan struct{}, 1)} }

// Write takes a line.
func (l *Log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	select {
	case l.more <- struct{}{}:
	default:
	}
	return l.text.Write(p)
}

// Wait returns what the first group of the pattern matches once the log has it.
// It fails the test when the command ends before, or after a minute.
func (l *Log) Wait(t testing.TB, pattern string, ended <-chan error) string {
	t.Helper()
	re, timeout := regexp.MustCompile(pattern), time.After(limit)
	for {
		l.mu.Lock()
		m, text := re.FindStringSubmatch(l.text.String()), l.text.String()
		l.mu.Unlock()
		if m != nil {
			return m[1]
		}
		select {
		case <-l.more:
		case err := <-ended:
			t.Fatalf("ended: %v", err)
		case <-timeout:
			t.Fatalf("no %s in the log:\n%s", pattern, text)
		}
	}
}

// Running is a command that serves.
type Running struct {
	// Addr and Metrics are its listeners.
	Addr, Metrics string
	// Internal is its listener for the other services; empty when it has none.
	Internal string
	// Conn is a connection to it.
	Conn *grpc.ClientConn

	t      testing.TB
	cancel context.CancelFunc
	ended  chan error
	once   sync.Once
}

// Start runs a command on free ports and returns when each of the gRPC services
// is healthy. The test's end stops it.
func Start(t testing.TB, command Command, services []string, args ...string) *Running {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	r := &Running{t: t, cancel: cancel, ended: make(chan error, 1)}
	log := NewLog()
	all := append([]string{"--listen", "127.0.0.1:0", "--metrics", "127.0.0.1:0"}, args...)
	hasInternal := command(io.Discard, io.Discard, nil).Flags().Lookup("internal-listen") != nil
	if hasInternal {
		all = append([]string{"--internal-listen", "127.0.0.1:0"}, all...)
	}
	go func() { r.ended <- command(io.Discard, log, all).ExecuteContext(ctx) }() // ends with Stop
	r.Addr = log.Wait(t, `service is up" grpc=(\S+)`, r.ended)
	if hasInternal {
		r.Internal = log.Wait(t, `service is up".* internal=(\S+)`, r.ended)
	}
	r.Metrics = log.Wait(t, `service is up".* metrics=(\S+)`, r.ended)
	conn, err := rpc.Dial(r.Addr, rpc.TLSFiles{})
	if err != nil {
		t.Fatal(err)
	}
	r.Conn = conn
	t.Cleanup(r.Stop)
	for _, s := range services {
		Healthy(t, conn, s)
	}
	return r
}

// DialInternal makes a connection to the listener for the other services, which
// ends with the test.
func (r *Running) DialInternal(opts ...grpc.DialOption) *grpc.ClientConn {
	r.t.Helper()
	conn, err := rpc.Dial(r.Internal, rpc.TLSFiles{}, opts...)
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() { conn.Close() }) //nolint:errcheck // its server has ended
	return conn
}

// Stop ends the command in order and checks that it ends well.
func (r *Running) Stop() {
	r.t.Helper()
	r.once.Do(func() {
		r.Conn.Close() //nolint:errcheck // its server ends next
		r.cancel()
		select {
		case err := <-r.ended:
			if err != nil {
				r.t.Errorf("ended with %v", err)
			}
		case <-time.After(limit):
			r.t.Error("does not end")
		}
	})
}

// Scrape is the text of the metrics.
func (r *Running) Scrape() string {
	r.t.Helper()
	if _, _, err := net.SplitHostPort(r.Metrics); err != nil {
		r.t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+r.Metrics+"/metrics", nil)
	if err != nil {
		r.t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		r.t.Fatal(err)
	}
	defer resp.Body.Close() //nolint:errcheck // read to its end
	text, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		r.t.Fatalf("metrics: %s, %v", resp.Status, err)
	}
	return string(text)
}

// Healthy waits until a gRPC service is healthy.
func Healthy(t testing.TB, conn grpc.ClientConnInterface, service string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	watch, err := healthv1.NewHealthClient(conn).Watch(ctx, &healthv1.HealthCheckRequest{Service: service})
	if err != nil {
		t.Fatal(err)
	}
	for {
		m, err := watch.Recv()
		if err != nil {
			t.Fatalf("%s does not become healthy: %v", service, err)
		}
		if m.GetStatus() == healthv1.HealthCheckResponse_SERVING {
			return
		}
	}
}
