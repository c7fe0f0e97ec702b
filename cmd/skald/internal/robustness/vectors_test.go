package robustness

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"google.golang.org/grpc"
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
		runs, forms := toldAtRandom(t, system, 2026, vectorSteps)
		writeLines(t, filepath.Join(vectorsDir, "fold-"+system+".jsonl.gz"), runs)
		writeLines(t, filepath.Join(vectorsDir, "forms-"+system+".jsonl.gz"), forms)
	}
}

// Fights that nobody saw before come to the same in TypeScript, step by step, for
// every sort of viewer; and so do their options and decisions as forms.
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
	args, asForms := []string{filepath.Join(clientDir, "test", "vectors.mjs")}, []string{filepath.Join(clientDir, "test", "formvectors.mjs")}
	for _, system := range systems.Registry().IDs() {
		name := filepath.Join(dir, system+".jsonl.gz")
		runs, forms := toldAtRandom(t, system, seed, number(envSteps, 60))
		writeLines(t, name, runs)
		writeLines(t, name+".forms", forms)
		args, asForms = append(args, name), append(asForms, name+".forms")
	}
	for _, args := range [][]string{args, asForms} {
		if out, err := exec.CommandContext(t.Context(), node, args...).CombinedOutput(); err != nil {
			t.Errorf("%v: %s", err, out)
		}
	}
}

// toldAtRandom plays fights of a system and gives what the viewers were told of each,
// and the forms of what could be done and was asked.
func toldAtRandom(t *testing.T, system string, seed uint64, steps int) ([]*vectors.Run, []*vectors.Form) {
	t.Helper()
	stack, err := allinone.Start(t.Context(), allinone.Config{DataDir: t.TempDir(), Random: newRandom(seed),
		Clock:  func() time.Time { return time.Unix(int64(seed), 0) },
		Logger: slog.New(slog.NewTextHandler(io.Discard, nil))})
	if err != nil {
		t.Fatal(err)
	}
	defer stack.Close() //nolint:errcheck // the test is over
	c := &collector{EncounterServiceClient: encounterv1.NewEncounterServiceClient(stack.Conn()), seen: map[string]int{}}
	w := &watched{EncounterServiceClient: c}
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
	return runs, c.forms
}

// formsEach is how many options of an action, and decisions of a name, become forms.
const formsEach = 2

// collector makes forms of the options that were listed and the decisions that came.
type collector struct {
	encounterv1.EncounterServiceClient
	seen  map[string]int
	forms []*vectors.Form
}

func (c *collector) take(what string, of func(seed uint64) (*vectors.Form, error)) error {
	if c.seen[what]++; c.seen[what] > formsEach {
		return nil
	}
	f, err := of(uint64(len(c.forms)))
	c.forms = append(c.forms, f)
	return err
}

// GetOptions implements encounterv1.EncounterServiceClient.
func (c *collector) GetOptions(ctx context.Context, req *encounterv1.GetOptionsRequest, opts ...grpc.CallOption) (*encounterv1.GetOptionsResponse, error) {
	resp, err := c.EncounterServiceClient.GetOptions(ctx, req, opts...)
	for _, o := range resp.GetOptions() {
		if err == nil {
			err = c.take(fmt.Sprint("option ", o.Action, " ", o.Legal), func(seed uint64) (*vectors.Form, error) { return vectors.OfOption(o, seed) })
		}
	}
	return resp, err
}

// Execute implements encounterv1.EncounterServiceClient.
func (c *collector) Execute(ctx context.Context, req *encounterv1.ExecuteRequest, opts ...grpc.CallOption) (*encounterv1.ExecuteResponse, error) {
	resp, err := c.EncounterServiceClient.Execute(ctx, req, opts...)
	if err != nil || len(resp.Decisions) == 0 {
		return resp, err
	}
	next, err := c.GetNext(ctx, &encounterv1.GetNextRequest{As: gm, Encounter: req.Encounter})
	for _, w := range next.GetWaiting() {
		if d := w.GetDecision(); d != nil && err == nil {
			err = c.take("decision "+d.Name, func(seed uint64) (*vectors.Form, error) { return vectors.OfDecision(d, w, seed) })
		}
	}
	return resp, err
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

func writeLines[T vectors.Run | vectors.Form](t *testing.T, name string, lines []*T) {
	t.Helper()
	var b bytes.Buffer
	if err := vectors.Encode(&b, lines); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Logf("%s: %d lines, %d bytes", filepath.Base(name), len(lines), b.Len())
}
