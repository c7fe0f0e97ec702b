package vectors_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"

	"github.com/skaldrpg/skald/pkg/vectors"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

var update = flag.Bool("update", false, "write the made vectors anew")

const (
	dir  = "../../clients/vectors"
	made = "fold-made.jsonl.gz"
)

// madeRuns are the made vectors.
func madeRuns(t *testing.T) []*vectors.Run {
	t.Helper()
	var runs []*vectors.Run
	for seed := range uint64(4) {
		run, err := vectors.Of("made", "gm", vectors.Made(seed, 150))
		if err != nil {
			t.Fatal(err)
		}
		runs = append(runs, run)
	}
	return runs
}

func TestMadeVectorsAreUpToDate(t *testing.T) {
	var b bytes.Buffer
	if err := vectors.Encode(&b, madeRuns(t)); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(dir, made)
	if *update {
		if err := os.WriteFile(name, b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if runs := read[vectors.Run](t, name); len(runs) != 4 {
		t.Fatalf("%d runs", len(runs))
	}
}

func read[T vectors.Run | vectors.Form](t *testing.T, name string) []*T {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close() //nolint:errcheck // it was read
	lines, err := vectors.Decode[T](f)
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

// The committed vectors are what the fold comes to, and show every kind of event, for
// each sort of viewer of all five systems, with rulings.
func TestVectorsHold(t *testing.T) {
	names, err := filepath.Glob(filepath.Join(dir, "fold-*.jsonl.gz"))
	if err != nil || len(names) != 6 {
		t.Fatalf("%d files: %v", len(names), err)
	}
	kinds := map[string]bool{}
	for _, name := range names {
		viewers, rulings := map[string]int{}, 0
		for _, run := range read[vectors.Run](t, name) {
			if err := run.Check(); err != nil {
				t.Error(err)
			}
			for _, s := range run.Steps {
				step := &encounterv1.Step{}
				if err := protojson.Unmarshal(s.Step, step); err != nil {
					t.Fatal(err)
				}
				viewers[run.Viewer]++
				if step.Restored != nil {
					rulings++
				}
				for _, e := range step.Events {
					m := e.ProtoReflect()
					if f := m.WhichOneof(m.Descriptor().Oneofs().ByName("what")); f != nil {
						kinds[string(f.Name())] = true
					}
				}
			}
		}
		t.Log(filepath.Base(name), viewers, rulings)
		if rulings < 5 || !strings.HasSuffix(name, made) && (viewers["gm"] < 40 || viewers["player/ann"] < 40 || viewers["spectator"] < 20) {
			t.Errorf("%s: %v steps, %d rulings", name, viewers, rulings)
		}
	}
	fields := (&eventv1.Event{}).ProtoReflect().Descriptor().Oneofs().ByName("what").Fields()
	for i := range fields.Len() {
		if f := fields.Get(i); !kinds[string(f.Name())] {
			t.Errorf("no vector shows %s", f.Name())
		}
	}
}

// A changed vector is found.
func TestCheckFindsAnotherState(t *testing.T) {
	run := madeRuns(t)[0]
	for i := range run.Steps {
		if n := len(run.Steps[i].Changes); n > 0 {
			run.Steps[i].Changes = run.Steps[i].Changes[:n-1]
			break
		}
	}
	if run.Check() == nil {
		t.Error("a change that is missing is not found")
	}
}

// The committed forms are what the client makes of options and decisions, of all five
// systems and made ones, filled in well and badly.
func TestFormsHold(t *testing.T) {
	for _, name := range []string{"basic", "celesia", "made", "original", "rcr", "spark"} {
		file := filepath.Join(dir, "forms-"+name+".jsonl.gz")
		if name == "made" && *update {
			forms, err := vectors.MadeForms()
			if err != nil {
				t.Fatal(err)
			}
			var b bytes.Buffer
			if err := vectors.Encode(&b, forms); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, b.Bytes(), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		options, decisions, taken, refused := 0, 0, 0, 0
		for _, f := range read[vectors.Form](t, file) {
			if err := f.Check(); err != nil {
				t.Error(err)
			}
			if f.Form != nil {
				options++
			} else {
				decisions++
			}
			for _, fill := range append(f.Fills, f.Replies...) {
				if len(fill.Problems) > 0 {
					refused++
				} else {
					taken++
				}
			}
		}
		t.Log(name, options, decisions, taken, refused)
		if options < 5 || decisions < 2 || taken < 10 || refused < 10 {
			t.Errorf("%s: %d options and %d decisions, %d filled in well and %d badly", name, options, decisions, taken, refused)
		}
	}
}
