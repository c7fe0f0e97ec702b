package main

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/skaldrpg/skald/pkg/daemon/daemontest"
	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
	"github.com/skaldrpg/skald/services/dice"
)

// up runs the command until the test calls down.
func up(t *testing.T, args ...string) (client dicev1.TapeServiceClient, down func()) {
	t.Helper()
	r := daemontest.Start(t, command, []string{dice.Name}, args...)
	if text := r.Scrape(); !strings.Contains(text, "skald_healthy 1") {
		t.Errorf("metrics:\n%s", text)
	}
	if _, err := dicev1.NewTapeServiceClient(r.Conn).Draw(t.Context(), &dicev1.DrawRequest{}); status.Code(err) != codes.Unimplemented {
		t.Errorf("a draw where callers are: %v", err)
	}
	return dicev1.NewTapeServiceClient(r.DialInternal()), r.Stop
}

func TestServesStopsAndComesBack(t *testing.T) {
	dir := t.TempDir()
	common := []string{"--nats", daemontest.NATS(t), "--nats-create", "--data", dir}
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
	url := daemontest.NATS(t)
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
