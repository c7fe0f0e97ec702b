package demo_test

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/skaldrpg/skald/cmd/skald/internal/allinone"
	"github.com/skaldrpg/skald/cmd/skald/internal/demo"
	"github.com/skaldrpg/skald/pkg/content/sheets"
	"github.com/skaldrpg/skald/pkg/systems"
)

// The demonstration of every rule system ends, whatever the dice, and proves
// what it says.
func TestDemo(t *testing.T) {
	for _, system := range demo.Systems() {
		t.Run(system, func(t *testing.T) { show(t, system) })
	}
}

func show(t *testing.T, system string) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	s, err := allinone.Start(ctx, allinone.Config{DataDir: t.TempDir(), Logger: slog.New(slog.NewTextHandler(io.Discard, nil))})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close() //nolint:errcheck // the test is over
	var out bytes.Buffer
	err = demo.Run(ctx, demo.Config{Stack: s, System: system, EmptyDir: t.TempDir(), Rounds: 15, Out: &out, Rules: true,
		Sheets: func(system, name string) ([]byte, error) { return sheets.FS.ReadFile(system + "/" + name + ".yaml") }})
	if err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	for _, want := range []string{"--- Round 1", "A die was misread", "  chain ", "  dice ", "  fold ", "  replay "} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the demonstration does not show %q", want)
		}
	}
}

// Every rule system that can be played has a demonstration.
func TestEverySystemHasADemonstration(t *testing.T) {
	if got, want := demo.Systems(), systems.Registry().IDs(); !slices.Equal(got, want) {
		t.Errorf("demonstrations of %v, systems %v", got, want)
	}
}
