package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/skaldrpg/skald/cmd/skald/internal/allinone"
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
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	stack, err := allinone.Start(ctx, allinone.Config{DataDir: t.TempDir(), Logger: slog.New(slog.NewTextHandler(io.Discard, nil))})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := stack.Close(); err != nil {
			t.Error(err)
		}
	})
	runner := &scenario.Runner{Clients: scenario.NewClients(stack.Conn())}
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
		for _, s := range all {
			t.Run(fmt.Sprintf("%s:%d", filepath.ToSlash(name), s.Line), func(t *testing.T) {
				t.Parallel()
				r := runner.Run(t.Context(), s)
				if !r.Passed {
					t.Error(r)
				}
				var events []*eventv1.Event
				for _, step := range r.Trace {
					seen := len(events)
					events = append(events, step.Events...)
					for _, e := range step.Events { // degrees of success are of celesia alone
						if e.GetRoll().GetDegree() != 0 && !strings.HasPrefix(filepath.ToSlash(name), "celesia/") {
							t.Errorf("step %d, %s: a degree of %d", step.Step, step.Title, e.GetRoll().GetDegree())
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
