package allinone

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/ops"
)

// A start that has to read the log says how far it is, and no further than there is.
func TestAStartSaysHowFarItHasRead(t *testing.T) {
	dir := t.TempDir()
	first, err := Start(t.Context(), Config{DataDir: dir, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	var last uint64
	for i := range 1000 { // nobody's, so that reading them changes nothing
		if last, err = first.Log().Append(t.Context(), journal.Message{Subject: "skald.0.main.other.x", ID: fmt.Sprint("x", i), Data: []byte("x"), Expected: last}); err != nil {
			t.Fatal(err)
		}
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(dir, "projections")); err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	told := map[string]int{}
	s, err := Start(t.Context(), Config{DataDir: dir, Logger: slog.New(slog.DiscardHandler), ReadEvery: 20 * time.Microsecond, Reading: func(service string, read, of uint64) {
		mu.Lock()
		defer mu.Unlock()
		if told[service]++; read > of || of < last {
			t.Errorf("%s has read %d of %d; the log ends at %d", service, read, of, last)
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() }) //nolint:errcheck // the test is over
	mu.Lock()
	before := fmt.Sprint(told)
	mu.Unlock()
	if told["injury"] == 0 {
		t.Errorf("told: %s", before)
	}
	s.tellReading(t.Context(), func(service string, _, _ uint64) { t.Errorf("%s has read all and is told of", service) })
}

func TestReadBy(t *testing.T) {
	part := func(applied, caughtUp float64) ops.Part {
		return ops.Part{Figures: []ops.Figure{{Name: "applied_sequence", Value: applied}, {Name: "caught_up", Value: caughtUp}}}
	}
	for name, c := range map[string]struct {
		parts []ops.Part
		read  uint64
		all   bool
	}{
		"one that reads":        {[]ops.Part{part(7, 0)}, 7, false},
		"one that has":          {[]ops.Part{part(7, 1), {Name: "memory"}}, 7, true},
		"one of two, the last":  {[]ops.Part{part(7, 1), part(2, 0)}, 9, false},
		"one of two, the first": {[]ops.Part{part(7, 0), part(2, 1)}, 9, false},
	} {
		if read, all := readBy(c.parts); read != c.read || all != c.all {
			t.Errorf("%s: %d, %v", name, read, all)
		}
	}
}
