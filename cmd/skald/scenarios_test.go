package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/sheets"
	"github.com/skaldrpg/skald/pkg/rules/rulestest"
	"github.com/skaldrpg/skald/pkg/scenario"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// scenarioDir holds the project's executable rulings.
const scenarioDir = "../../scenarios"

// TestScenarios runs every scenario of the project on one suite, as
// `skald scenario run scenarios` does. Whatever happens in one names its rules and
// says how its numbers came about.
func TestScenarios(t *testing.T) {
	if _, err := os.Stat(scenarioDir); errors.Is(err, fs.ErrNotExist) {
		t.Skip("this copy of the module comes without the scenarios")
	}
	files, err := scenario.Files(scenarioDir)
	if err != nil {
		t.Fatal(err)
	}
	stack := start(t)
	runner := &scenario.Runner{Clients: scenario.NewClients(stack.Conn()), Digest: os.Getenv("SKALD_DIGESTS") != "off"}
	t.Run("docs/SCENARIOS.md", func(t *testing.T) { runDocumented(t, runner) })
	for i, file := range files {
		if os.Getenv("SKALD_RACE") != "" && i%8 != 0 { // what runs beside itself is the same in all of them
			continue
		}
		name, err := filepath.Rel(scenarioDir, file)
		if err != nil {
			t.Fatal(err)
		}
		all, err := scenario.Load(file, shipped)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		digests, err := digestsOf(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range all {
			t.Run(fmt.Sprintf("%s:%d", filepath.ToSlash(name), s.Line), func(t *testing.T) {
				t.Parallel()
				r := runner.Run(t.Context(), s)
				if r.Passed && runner.Digest {
					if err := digests.Check(r); err != nil {
						t.Error(err)
					}
				}
				if !r.Passed {
					t.Error(r)
				}
				var events []*eventv1.Event
				for _, step := range r.Trace {
					seen := len(events)
					events = append(events, step.Events...)
					for _, e := range step.Events {
						if roll := e.GetRoll(); roll.GetDegree() != 0 && !graded(filepath.ToSlash(name), roll.Label) {
							t.Errorf("step %d, %s: a degree of %d", step.Step, step.Title, roll.Degree)
						}
					}
					for _, what := range rulestest.Unexplained(events, seen) {
						t.Errorf("step %d, %s: nothing explains %s", step.Step, step.Title, what)
					}
				}
			})
		}
	}
}

// digestsOf are the digests that a scenario file belongs to.
func digestsOf(file string) (*scenario.Digests, error) {
	name, err := scenario.FindDigests(file)
	if err != nil {
		return nil, err
	}
	if name == "" {
		return nil, fmt.Errorf("no %s for %s: skald scenario digest", scenario.DigestsName, file)
	}
	return scenario.ReadDigests(name)
}

func shipped(system, name string) ([]byte, error) {
	return sheets.Read(system, name)
}

// runDocumented runs the scenario that the description of the format shows.
func runDocumented(t *testing.T, runner *scenario.Runner) {
	page, err := os.ReadFile("../../docs/SCENARIOS.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(page), "```yaml\n")
	text, _, _ := strings.Cut(rest, "```")
	file := filepath.Join(t.TempDir(), "documented.yaml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	all, err := scenario.Load(file, shipped)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range all {
		if r := runner.Run(t.Context(), s); !r.Passed {
			t.Error(r)
		}
	}
}

// graded tells whether rolls of a scenario's system have degrees: those of celesia, and
// in rcr the checks at a task (rcr.dice.degrees-of-success).
func graded(scenario, label string) bool {
	return strings.HasPrefix(scenario, "celesia/") || strings.HasPrefix(scenario, "rcr/") && strings.Contains("/"+label, "/task/")
}
