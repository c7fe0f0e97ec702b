package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	healthv1 "google.golang.org/grpc/health/grpc_health_v1"

	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/rpc"
	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
	"github.com/skaldrpg/skald/services/dice"
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

// server is a NATS server for a test.
func server(t *testing.T) string {
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

// up runs the command until the test calls down.
func up(t *testing.T, args ...string) (client dicev1.DiceServiceClient, down func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	log, ended := &lines{more: make(chan struct{}, 1)}, make(chan error, 1)
	all := append([]string{"--listen", "127.0.0.1:0", "--metrics", "127.0.0.1:0"}, args...)
	go func() { ended <- command(io.Discard, log, all).ExecuteContext(ctx) }()
	addr := log.wait(t, `dice service is up" grpc=(\S+)`, ended)
	conn, err := rpc.Dial(addr, rpc.TLSFiles{})
	if err != nil {
		t.Fatal(err)
	}
	call, stop := context.WithTimeout(ctx, 20*time.Second)
	defer stop()
	watch, err := healthv1.NewHealthClient(conn).Watch(call, &healthv1.HealthCheckRequest{Service: dice.Name})
	if err != nil {
		t.Fatal(err)
	}
	for status := healthv1.HealthCheckResponse_UNKNOWN; status != healthv1.HealthCheckResponse_SERVING; {
		m, err := watch.Recv()
		if err != nil {
			t.Fatal(err)
		}
		status = m.GetStatus()
	}
	return dicev1.NewDiceServiceClient(conn), func() {
		conn.Close()
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("ended with %v", err)
		}
	}
}

func TestServesStopsAndComesBack(t *testing.T) {
	dir := t.TempDir()
	common := []string{"--nats", server(t), "--nats-create", "--data", dir}
	draw := &dicev1.DrawRequest{Table: "t", Encounter: "e", Epoch: 1, Action: 1, Label: "a", Branch: "gm",
		Expression: "10d100", Purpose: dicev1.Purpose_PURPOSE_REAL, TapeAllowed: true}

	client, down := up(t, append(common, "--master-key-create")...)
	if _, err := client.OpenEpoch(t.Context(), &dicev1.OpenEpochRequest{Table: "t", Encounter: "e", Epoch: 1, Branches: []string{"gm"}}); err != nil {
		t.Fatal(err)
	}
	first, err := client.Draw(t.Context(), draw)
	if err != nil {
		t.Fatal(err)
	}
	down()

	if err := command(io.Discard, io.Discard, append([]string{"rebuild"}, common...)).ExecuteContext(t.Context()); err != nil {
		t.Errorf("rebuild: %v", err)
	}
	client, down = up(t, common...)
	defer down()
	again, err := client.Draw(t.Context(), draw)
	if err != nil || again.GetResult().GetTotal() != first.GetResult().GetTotal() {
		t.Errorf("after a restart: %v, %v; before %v", again, err, first)
	}
	tapes, err := client.ListTapes(t.Context(), &dicev1.ListTapesRequest{Table: "t", Encounter: "e"})
	if err != nil || len(tapes.GetTapes()) != 1 {
		t.Errorf("tapes %v, %v", tapes, err)
	}
}

func TestRefusesToStart(t *testing.T) {
	url := server(t)
	open := filepath.Join(t.TempDir(), "open.key")
	if err := os.WriteFile(open, []byte(strings.Repeat("ab", 32)), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(open, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name string
		args []string
		want error
	}{
		{"no key", []string{"--nats-create"}, dice.ErrKeyMissing},
		{"key open to others", []string{"--nats-create", "--master-key-file", open}, dice.ErrKeyPermissions},
	} {
		args := append([]string{"--nats", url, "--data", t.TempDir(), "--listen", "127.0.0.1:0"}, tt.args...)
		if err := command(io.Discard, io.Discard, args).ExecuteContext(t.Context()); !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, err, tt.want)
		}
	}
}

func TestFlagsComeFromTheEnvironment(t *testing.T) {
	t.Setenv("SKALD_LOG_LEVEL", "loud")
	err := command(io.Discard, io.Discard, nil).ExecuteContext(t.Context())
	if err == nil || !strings.Contains(err.Error(), "loud") {
		t.Errorf("error %v", err)
	}
}
