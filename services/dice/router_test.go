package dice

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/journal"
)

// What is wrong with the dice of several streams is told when the first goes wrong and
// when the last is well again, and only then; asked for, it names every stream.
func TestRouterHealth(t *testing.T) {
	quiet := slog.New(slog.NewTextHandler(io.Discard, nil))
	server, err := journal.StartEmbedded(t.Context(), journal.EmbeddedConfig{StoreDir: t.TempDir()}, quiet)
	if err != nil {
		t.Fatal(err)
	}
	defer server.Stop() //nolint:errcheck // the test is over
	nc, err := server.Connect("health")
	if err != nil {
		t.Fatal(err)
	}
	streams, err := journal.OpenSet(t.Context(), nc, journal.SetConfig{Create: true, Streams: 2, MaxMessage: journal.MaxMessage, Gate: server, Log: quiet})
	if err != nil {
		t.Fatal(err)
	}
	var told []string
	r := &Router{cfg: RouterConfig{Streams: streams}, wrong: map[int]error{}}
	r.cfg.OnHealth = func(err error) { told = append(told, fmt.Sprint(err)) }
	full, gone := errors.New("full"), errors.New("gone")
	for i, step := range []struct {
		stream int
		err    error
		told   []string // of this report
		names  []string // in what is wrong after it
	}{
		{0, nil, nil, nil},
		{1, full, []string{"stream 1: full"}, []string{"stream 1: full"}},
		{0, gone, nil, []string{"stream 0: gone", "stream 1: full"}},
		{1, gone, nil, []string{"stream 0: gone", "stream 1: gone"}},
		{0, nil, nil, []string{"stream 1: gone"}},
		{0, nil, nil, []string{"stream 1: gone"}},
		{1, nil, []string{"<nil>"}, nil},
		{1, nil, nil, nil},
		{0, full, []string{"stream 0: full"}, []string{"stream 0: full"}},
	} {
		told = nil
		r.report(step.stream, step.err)
		if !slices.Equal(told, step.told) {
			t.Errorf("report %d: told %q, want %q", i, told, step.told)
		}
		now := ""
		if err := r.Err(); err != nil {
			now = err.Error()
		}
		if now != strings.Join(step.names, "\n") {
			t.Errorf("report %d: wrong is %q, want %q", i, now, step.names)
		}
	}
}
