package main

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/skaldrpg/skald/cmd/skald/internal/allinone"
	"github.com/skaldrpg/skald/pkg/systems"
)

// fighters are two shipped creatures of each rule system.
var fighters = map[string][]string{
	"rcr":      {"fighter", "orc"},
	"spark":    {"blade", "reaver"},
	"basic":    {"sellsword", "marsh-orc"},
	"celesia":  {"sellsword", "marauder"},
	"original": {"swordsman", "orc-spearman"},
}

// The example plays a fight of every rule system to its end.
func TestPlay(t *testing.T) {
	for _, system := range systems.Registry().IDs() {
		t.Run(system, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			s, err := allinone.Start(ctx, allinone.Config{DataDir: t.TempDir(), Logger: slog.New(slog.NewTextHandler(io.Discard, nil))})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close() //nolint:errcheck // the test is over
			// A fight that a single blow decides may have no damage roll to amend.
			var out bytes.Buffer
			for range 10 {
				out.Reset()
				if err := Play(ctx, s.Conn(), system, fighters[system], &out); err != nil {
					t.Fatalf("%v\n%s", err, out.String())
				}
				if strings.Contains(out.String(), "decided again") {
					break
				}
			}
			for _, want := range []string{"--- Round 1", "attack", "decided again", "The encounter is over"} {
				if !strings.Contains(out.String(), want) {
					t.Errorf("ann is not told %q of\n%s", want, out.String())
				}
			}
		})
	}
}
