package robustness

import (
	"context"
	"io"
	"log/slog"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/skaldrpg/skald/cmd/skald/internal/allinone"
	"github.com/skaldrpg/skald/pkg/rpc"
	"github.com/skaldrpg/skald/pkg/systems"
	"github.com/skaldrpg/skald/pkg/web"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
)

// A client in TypeScript that watches fights at random, rulings and all, comes to the
// transcripts that the server gives, for every sort of viewer and in every system.
func TestTranscriptsAreComputedInTypeScript(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("there is no node: the TypeScript transcript is not run")
	}
	if _, err := os.Stat(filepath.Join(clientDir, "dist", "transcript.js")); err != nil {
		t.Skip("the TypeScript client is not built: npm ci && npm run build in clients/typescript")
	}
	seed := uint64(number(envSeed, int(time.Now().UnixNano()&0x7fffffff)))
	t.Logf("repeat with %s=%d", envSeed, seed)
	stack, err := allinone.Start(t.Context(), allinone.Config{DataDir: t.TempDir(), Random: newRandom(seed),
		Clock: func() time.Time { return time.Unix(int64(seed), 0) }, Logger: slog.New(slog.NewTextHandler(io.Discard, nil))})
	if err != nil {
		t.Fatal(err)
	}
	defer stack.Close() //nolint:errcheck // the test is over
	server := rpc.NewServer(rpc.Options{Logger: slog.New(slog.DiscardHandler)})
	stack.Register(server)
	site, err := web.New(web.Options{Server: server, Open: true, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	l, err := listen()
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- site.Serve(ctx, l) }() // ends with stop
	defer func() {
		stack.StopWatches()
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	}()
	args := []string{filepath.Join(clientDir, "test", "heard.mjs"), "http://" + l.Addr().String()}
	for _, system := range systems.Registry().IDs() {
		w := &watched{EncounterServiceClient: encounterv1.NewEncounterServiceClient(stack.Conn())}
		p := &play{t: t, system: system, rng: rand.New(rand.NewPCG(seed, 1)), client: w, actions: map[string]bool{}}
		p.begin()
		for range number(envSteps, 50) {
			if !p.step() {
				break
			}
		}
		for _, f := range w.fights {
			args = append(args, f.encounter)
		}
	}
	out, err := exec.CommandContext(t.Context(), node, args...).CombinedOutput()
	heard, isNumber := strconv.Atoi(strings.TrimSpace(string(out)))
	if err != nil || isNumber != nil || heard < 300 {
		t.Errorf("%v: %s", err, out)
	}
	t.Logf("%d steps of %d fights", heard, len(args)-2)
}
