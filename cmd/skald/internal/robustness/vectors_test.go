package robustness

import (
	"bytes"
	"flag"
	"io"
	"log/slog"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/cmd/skald/internal/allinone"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/systems"
	"github.com/skaldrpg/skald/pkg/vectors"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

var writeVectors = flag.Bool("vectors", false, "write the vectors of the fold in clients/vectors anew")

const (
	vectorsDir = "../../../../clients/vectors"
	clientDir  = "../../../../clients/typescript"
	// vectorSteps is how long the play at random of a system is, rulings and all.
	vectorSteps = 100
)

var vectorViewers = map[string]*eventv1.Principal{"gm": gm, "player/ann": ann, "spectator": {Role: eventv1.Principal_ROLE_SPECTATOR}}

// TestWriteVectors plays every system at random, with rulings, and writes down what
// each sort of viewer was told and knew after every step.
func TestWriteVectors(t *testing.T) {
	if !*writeVectors {
		t.Skip("only with -vectors")
	}
	for _, system := range systems.Registry().IDs() {
		writeRuns(t, filepath.Join(vectorsDir, "fold-"+system+".jsonl.gz"), toldAtRandom(t, system, 2026, vectorSteps))
	}
}

// Fights that nobody saw before come to the same in TypeScript, step by step, for
// every sort of viewer.
func TestFreshFightsFoldInTypeScript(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("there is no node: the TypeScript fold is not run")
	}
	if _, err := os.Stat(filepath.Join(clientDir, "dist", "index.js")); err != nil {
		t.Skip("the TypeScript client is not built: npm ci && npm run build in clients/typescript")
	}
	seed := uint64(number(envSeed, int(time.Now().UnixNano()&0x7fffffff)))
	t.Logf("repeat with %s=%d", envSeed, seed)
	dir := t.TempDir()
	args := []string{filepath.Join(clientDir, "test", "vectors.mjs")}
	for _, system := range systems.Registry().IDs() {
		name := filepath.Join(dir, system+".jsonl.gz")
		writeRuns(t, name, toldAtRandom(t, system, seed, number(envSteps, 60)))
		args = append(args, name)
	}
	if out, err := exec.CommandContext(t.Context(), node, args...).CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}

// toldAtRandom plays fights of a system and gives what the viewers were told of each.
func toldAtRandom(t *testing.T, system string, seed uint64, steps int) []*vectors.Run {
	t.Helper()
	stack, err := allinone.Start(t.Context(), allinone.Config{DataDir: t.TempDir(), Random: newRandom(seed),
		Clock:  func() time.Time { return time.Unix(int64(seed), 0) },
		Logger: slog.New(slog.NewTextHandler(io.Discard, nil))})
	if err != nil {
		t.Fatal(err)
	}
	defer stack.Close() //nolint:errcheck // the test is over
	w := &watched{EncounterServiceClient: encounterv1.NewEncounterServiceClient(stack.Conn())}
	p := &play{t: t, system: system, rng: rand.New(rand.NewPCG(seed, 1)), client: w, actions: map[string]bool{}}
	p.begin()
	for range steps {
		if !p.step() {
			break
		}
	}
	var runs []*vectors.Run
	for _, f := range w.fights {
		for _, viewer := range []string{"gm", "player/ann", "spectator"} {
			told := everyStep(t, w, f.encounter, vectorViewers[viewer])
			run, err := vectors.Of(f.encounter, viewer, told)
			if err != nil {
				t.Fatal(err)
			}
			runs = append(runs, run)
		}
	}
	return runs
}

// everyStep is what a viewer was told, whose fold is the state that it is shown.
func everyStep(t *testing.T, client encounterv1.EncounterServiceClient, encounter string, as *eventv1.Principal) []*encounterv1.Step {
	t.Helper()
	var told []*encounterv1.Step
	folded := event.NewState()
	for more := true; more; {
		h, err := client.GetHistory(t.Context(), &encounterv1.GetHistoryRequest{As: as, Encounter: encounter, After: uint64(len(told)), Limit: 1000})
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range h.Steps {
			folded = vectors.After(folded, s)
		}
		told, more = append(told, h.Steps...), h.More
	}
	shown, err := client.GetState(t.Context(), &encounterv1.GetStateRequest{As: as, Encounter: encounter})
	if err != nil {
		t.Fatal(err)
	}
	if !proto.Equal(folded, shown.State) {
		changes, err := event.Difference(shown.State, folded)
		t.Errorf("%s as %v: the fold is not the state shown: %v %v", encounter, as, changes, err)
	}
	return told
}

func writeRuns(t *testing.T, name string, runs []*vectors.Run) {
	t.Helper()
	var b bytes.Buffer
	if err := vectors.Encode(&b, runs); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Logf("%s: %d runs, %d bytes", filepath.Base(name), len(runs), b.Len())
}
