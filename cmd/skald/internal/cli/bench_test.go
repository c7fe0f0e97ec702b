package cli

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/cmd/skald/internal/bench"
)

// Every figure has every case, and each of them, and its floor, took time. The figure
// that starts the program is in testdata/script/bench.txtar: here it would start the tests.
func TestBench(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	const only = "attack,watchers,deliver,growth,fights,undo,past,open,start,dice"
	if all := strings.Join(bench.Names(), ","); all != only+",command" {
		t.Fatalf("the figures are %s", all)
	}
	s := say(t.Context(), "bench", "--only", only, "--rounds", "2", "--watchers", "0,1,12", "--commits", "30", "--fights", "1,3", "--json")
	if s.code != exitOK || s.err != "" {
		t.Fatal(s)
	}
	lines := strings.Split(strings.TrimSpace(s.out), "\n")
	var m bench.Machine
	if err := json.Unmarshal([]byte(lines[0]), &m); err != nil || m.Cores < 1 || m.Go == "" || m.Sync <= 0 {
		t.Errorf("the machine: %s, %v", lines[0], err)
	}
	var cases []string
	for _, line := range lines[1:] {
		var l bench.Line
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		name := l.Figure + " " + l.Case
		cases = append(cases, name)
		for side, of := range map[string]bench.Timing{"floor": l.Floor, "skald": l.Skald} {
			if of.Rounds < 2 || of.Median <= 0 || of.P99 < of.Median || of.Processor <= 0 || of.PerSecond <= 0 {
				t.Errorf("%s: %s: %+v", name, side, of)
			}
		}
		if r := l.Ratio; r.Median != float64(l.Skald.Median)/float64(l.Floor.Median) || r.P99 <= 0 || r.Processor <= 0 || r.PerSecond != l.Skald.PerSecond/l.Floor.PerSecond {
			t.Errorf("%s: %+v", name, r)
		}
	}
	want := []string{"attack 1 client", "attack 8 clients", "attack 64 clients", "watchers 0 watchers", "watchers 1 watcher", "watchers 12 watchers",
		"deliver 1 watcher", "deliver 12 watchers", "growth 10 commands", "fights 1 fight", "fights 3 fights", "undo 1 watcher", "undo 12 watchers", "past 30 commands", "open 30 commands", "start", "dice 1d20", "dice 4d6kh3", "dice 100d6"}
	at := slices.Index(want, "start")
	if len(cases) == len(want) && strings.HasPrefix(cases[at], "start ") { // how many Commits are of no matter
		cases[at] = "start"
	}
	if !slices.Equal(cases, want) {
		t.Errorf("measured %q", cases)
	}
	leavesNothing(t)
}

// leavesNothing holds that the folder for temporary files is empty.
func leavesNothing(t *testing.T) {
	t.Helper()
	if left, err := filepath.Glob(filepath.Join(os.TempDir(), "*")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// What is listed is what there is, and what the help names.
func TestBenchList(t *testing.T) {
	var names []string
	for line := range strings.Lines(run(t, "bench", "--list", "--json")) {
		var f bench.Figure
		if err := json.Unmarshal([]byte(line), &f); err != nil || f.What == "" || f.Floor == "" {
			t.Fatalf("%s: %v", line, err)
		}
		names = append(names, f.Name)
	}
	if !slices.Equal(names, bench.Names()) {
		t.Errorf("listed: %v", names)
	}
	reference, err := os.ReadFile(referenceFile)
	if err != nil || !strings.Contains(string(reference), "Figures: "+strings.Join(names, ", ")+";") {
		t.Errorf("docs/CLI.md does not name the figures, %v", err)
	}
	if words := run(t, "bench", "--list"); strings.Count(words, "  floor: ") != len(names) {
		t.Errorf("in words: %s", words)
	}
}

func TestBenchRefuses(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	for wrong, says := range map[string]string{
		"--only atack,dice":             `no figure "atack", did you mean attack?`,
		"--only dice,,attack":           `no figure ""`,
		"--only nothing":                `no figure "nothing"`,
		"--rounds 0":                    "0 rounds",
		"--rounds 99999999":             "99999999 rounds",
		"--commits -1":                  "-1 Commits",
		"--fights 1,0":                  "0 fights",
		"--log -1":                      "a log of -1 Commits",
		"--commits 99999999":            "99999999 Commits",
		"--watchers 1,-1":               "-1 watchers",
		"--watchers 99999":              "99999 watchers",
		"--watchers many":               "many",
		"--only dice --rounds 2 at-all": "at-all",
	} {
		if s := say(t.Context(), append([]string{"bench"}, strings.Fields(wrong)...)...); s.code != exitUsage || !strings.Contains(s.err, says) || s.out != "" {
			t.Errorf("%s: %+v", wrong, s)
		}
	}
	leavesNothing(t)
}

// interrupting ends a context when something is written for the nth time.
type interrupting struct {
	said strings.Builder
	n    int
	stop context.CancelFunc
}

func (w *interrupting) Write(p []byte) (int, error) {
	if w.n--; w.n == 0 {
		w.stop()
	}
	return w.said.Write(p)
}

// It ends with its context, whatever is under way, and leaves nothing behind.
func TestBenchEndsWhenInterrupted(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	for _, after := range []int{0, 1, 2} { // before it begins, before a figure, between two
		ctx, stop := context.WithCancel(t.Context())
		if after == 0 {
			stop()
		}
		var errOut strings.Builder
		out := &interrupting{n: after, stop: stop}
		code := Run(ctx, []string{"bench", "--only", "attack,undo", "--rounds", "4", "--watchers", "3", "--commits", "100000"}, strings.NewReader(""), out, &errOut)
		stop()
		if code != exitFailure || !strings.Contains(errOut.String(), "canceled") {
			t.Errorf("after %d: exit code %d: %s%s", after, code, out.said.String(), errOut.String())
		}
		if got := strings.Count(out.said.String(), "floor: "); got != max(0, after-1) {
			t.Errorf("after %d: %d figures: %s", after, got, out.said.String())
		}
	}
	leavesNothing(t)
}

// A start is measured on a log of as many Commits as were asked for, which are told of
// where it takes long; each service folds them all.
func TestBenchOfALogThatIsFilled(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	s := say(t.Context(), "bench", "--only", "start", "--rounds", "2", "--log", "2100", "--json")
	lines := strings.Split(strings.TrimSpace(s.out), "\n")
	var l bench.Line
	if s.code != exitOK || len(lines) != 2 || json.Unmarshal([]byte(lines[1]), &l) != nil {
		t.Fatal(s)
	}
	if l.Case != "2,105 Commits" || l.Floor.Rounds != 1 || l.Skald.Rounds != 1 || l.Skald.Median <= 0 {
		t.Errorf("measured %+v", l)
	}
	leavesNothing(t)
}
