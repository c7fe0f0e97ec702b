package main

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	healthv1 "google.golang.org/grpc/health/grpc_health_v1"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/rpc"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
	"github.com/skaldrpg/skald/services/injury"
)

// lines is a log that tells when a text has come.
type lines struct {
	mu   sync.Mutex
	text bytes.Buffer
	more chan struct{}
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	select {
	case l.more <- struct{}{}:
	default:
	}
	return l.text.Write(p)
}

func (l *lines) wait(t *testing.T, pattern string, ended <-chan error) string {
	t.Helper()
	re := regexp.MustCompile(pattern)
	for {
		l.mu.Lock()
		m := re.FindStringSubmatch(l.text.String())
		l.mu.Unlock()
		if m != nil {
			return m[1]
		}
		select {
		case <-l.more:
		case err := <-ended:
			t.Fatalf("ended: %v", err)
		}
	}
}

func TestServesAndRebuilds(t *testing.T) {
	quiet := slog.New(slog.NewTextHandler(io.Discard, nil))
	nats, err := journal.StartEmbedded(t.Context(), journal.EmbeddedConfig{StoreDir: t.TempDir(), Port: -1}, quiet)
	if err != nil {
		t.Fatal(err)
	}
	defer nats.Stop() //nolint:errcheck // end of the test
	dir := t.TempDir()
	common := []string{"--nats", nats.URL(), "--nats-create", "--data", dir}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	log, ended := &lines{more: make(chan struct{}, 1)}, make(chan error, 1)
	args := append([]string{"--listen", "127.0.0.1:0", "--metrics", "127.0.0.1:0"}, common...)
	go func() { ended <- command(io.Discard, log, args).ExecuteContext(ctx) }()
	addr := log.wait(t, `injury service is up" grpc=(\S+)`, ended)

	conn, err := rpc.Dial(addr, rpc.TLSFiles{})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close() //nolint:errcheck // end of the test
	call, stop := context.WithTimeout(ctx, 20*time.Second)
	defer stop()
	watch, err := healthv1.NewHealthClient(conn).Watch(call, &healthv1.HealthCheckRequest{Service: injury.Name})
	if err != nil {
		t.Fatal(err)
	}
	for status := healthv1.HealthCheckResponse_UNKNOWN; status != healthv1.HealthCheckResponse_SERVING; {
		m, err := watch.Recv()
		if err != nil {
			t.Fatal(err)
		}
		status = m.Status
	}
	_, err = injuryv1.NewInjuryServiceClient(conn).GetPatient(call, &injuryv1.GetPatientRequest{Patient: "nobody",
		As: &eventv1.Principal{Role: eventv1.Principal_ROLE_GM}})
	if !fault.Is(err, fault.NotFound) {
		t.Errorf("an unknown patient: %v", err)
	}
	stop()
	cancel()
	if err := <-ended; err != nil {
		t.Errorf("ended with %v", err)
	}
	if err := command(io.Discard, log, append([]string{"rebuild"}, common...)).ExecuteContext(t.Context()); err != nil {
		t.Errorf("rebuild: %v", err)
	}
	if _, err := os.Stat(injury.File(dir)); err != nil {
		t.Error(err)
	}
}

func TestFlagsComeFromTheEnvironment(t *testing.T) {
	t.Setenv("SKALD_LOG_LEVEL", "loud")
	err := command(io.Discard, io.Discard, nil).ExecuteContext(t.Context())
	if err == nil || !strings.Contains(err.Error(), "loud") {
		t.Errorf("error %v", err)
	}
}
