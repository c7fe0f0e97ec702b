package daemon_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/spf13/cobra"
	"google.golang.org/grpc"

	"github.com/skaldrpg/skald/pkg/daemon"
	"github.com/skaldrpg/skald/pkg/daemon/daemontest"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/projection"
)

var errBroken = errors.New("broken")

// idle is a service that does nothing until it is told to fail.
func idle(fail <-chan struct{}) daemontest.Command {
	return func(out, errs io.Writer, args []string) *cobra.Command {
		return daemon.Command(daemon.Spec{
			Name: "skald-idle", Title: "idle service", Listen: "127.0.0.1:0", InternalListen: "127.0.0.1:0", Health: []string{"idle"},
			File: func(dir string) string { return dir },
			Open: func(_ context.Context, env daemon.Env) (daemon.Service, error) {
				env.Health(nil)
				return daemon.Service{
					Register:         func(grpc.ServiceRegistrar) {},
					RegisterInternal: func(grpc.ServiceRegistrar) {},
					Run: func(ctx context.Context) error {
						select {
						case <-ctx.Done():
							return nil
						case <-fail:
							return errBroken
						}
					},
					Ready:  func(context.Context) error { return nil },
					Status: func() projection.Status { return projection.Status{Applied: 7} },
					Close:  func() error { return nil },
				}, nil
			},
			Rebuild: func(context.Context, daemon.Env, func(done, total uint64)) error { return errBroken },
		}, out, errs, args)
	}
}

func TestSubcommands(t *testing.T) {
	url := daemontest.NATS(t)
	run := func(args ...string) (string, error) {
		var out bytes.Buffer
		err := idle(nil)(&out, io.Discard, append(args, "--nats", url)).ExecuteContext(t.Context())
		return out.String(), err
	}
	if _, err := run(); !errors.Is(err, journal.ErrNoStream) {
		t.Errorf("without a stream: %v", err)
	}
	if _, err := run("create-stream"); err != nil {
		t.Fatal(err)
	}
	if _, err := run("rebuild"); !errors.Is(err, errBroken) {
		t.Errorf("rebuild: %v", err)
	}
	r := daemontest.Start(t, idle(nil), []string{"idle"}, "--nats", url)
	if out, err := run("health", "--address", r.Addr); err != nil || out != "idle SERVING\n" {
		t.Errorf("health: %q, %v", out, err)
	}
	if text := r.Scrape(); !strings.Contains(text, "skald_healthy 1\n") || !strings.Contains(text, "skald_projection_applied_sequence 7\n") {
		t.Errorf("metrics:\n%s", text)
	}
	r.Stop()
	if _, err := run("health", "--address", r.Addr); err == nil {
		t.Error("healthy although nobody is there")
	}
}

// A service may be started before its NATS is there, and says at once when its
// password is wrong.
func TestWaitsForTheJournal(t *testing.T) {
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	url := "nats://" + free.Addr().String()
	port := free.Addr().(*net.TCPAddr).Port
	if err := free.Close(); err != nil {
		t.Fatal(err)
	}
	run := func(args ...string) error {
		return idle(nil)(io.Discard, io.Discard, append(args, "--nats", url)).ExecuteContext(t.Context())
	}
	if err := run("create-stream", "--nats-wait", "0"); !errors.Is(err, journal.ErrUnavailable) {
		t.Errorf("nobody there, asked once: %v", err)
	}
	made := make(chan error, 1)
	go func() { made <- run("create-stream") }() // ends with the stream, or after a minute
	select {
	case err := <-made:
		t.Fatalf("did not wait: %v", err)
	case <-time.After(2 * time.Second):
	}
	opts := &server.Options{Host: "127.0.0.1", Port: port, JetStream: true, StoreDir: t.TempDir(), SyncAlways: true, NoSigs: true, NoLog: true, MaxPayload: journal.MaxMessage}
	startServer(t, opts)
	if err := <-made; err != nil {
		t.Errorf("once it was there: %v", err)
	}
}

func TestSaysThatThePasswordIsWrong(t *testing.T) {
	s := startServer(t, &server.Options{Host: "127.0.0.1", Port: -1, Username: "a", Password: "right", NoSigs: true, NoLog: true})
	began := time.Now()
	err := idle(nil)(io.Discard, io.Discard, []string{"create-stream", "--nats", s.ClientURL(), "--nats-user", "a", "--nats-password", "wrong"}).ExecuteContext(t.Context())
	if !errors.Is(err, nats.ErrAuthorization) || time.Since(began) > 30*time.Second {
		t.Errorf("after %s: %v", time.Since(began), err)
	}
}

// startServer starts a NATS server that ends with the test.
func startServer(t *testing.T, opts *server.Options) *server.Server {
	t.Helper()
	s, err := server.NewServer(opts)
	if err != nil {
		t.Fatal(err)
	}
	go s.Start() // ends with Shutdown
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	if !s.ReadyForConnections(30 * time.Second) {
		t.Fatal("not ready")
	}
	return s
}

func TestEndsWhenTheServiceFails(t *testing.T) {
	fail := make(chan struct{})
	close(fail)
	err := idle(fail)(io.Discard, io.Discard, []string{"--nats", daemontest.NATS(t), "--nats-create"}).ExecuteContext(t.Context())
	if !errors.Is(err, errBroken) {
		t.Errorf("ended with %v", err)
	}
}

func TestRefusesToStart(t *testing.T) {
	url := daemontest.NATS(t)
	nc, err := journal.Connect(t.Context(), url, journal.ConnectOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := js.CreateStream(t.Context(), jetstream.StreamConfig{Name: "SKALD_0", Subjects: []string{"skald.0.>"}, MaxMsgs: 5}); err != nil {
		t.Fatal(err)
	}
	var weak *journal.WeakStreamError
	for name, tt := range map[string]struct {
		args []string
		as   func(error) bool
	}{
		"weak stream":  {nil, func(err error) bool { return errors.As(err, &weak) }},
		"unknown flag": {[]string{"--colour"}, func(err error) bool { return err != nil }},
		"log level":    {[]string{"--log-level", "loud"}, func(err error) bool { return err != nil && strings.Contains(err.Error(), "loud") }},
		"half of TLS":  {[]string{"--tls-cert", "cert.pem"}, func(err error) bool { return err != nil && strings.Contains(err.Error(), "key") }},
	} {
		err := idle(nil)(io.Discard, io.Discard, append([]string{"--nats", url}, tt.args...)).ExecuteContext(t.Context())
		if !tt.as(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
