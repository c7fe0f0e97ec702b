package journal_test

import (
	"fmt"
	"io"
	"log/slog"
	"sync/atomic"
	"testing"

	"github.com/nats-io/nats.go"

	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/journal/journaltest"
)

var quiet = slog.New(slog.NewTextHandler(io.Discard, nil))

// start runs an embedded server for the test.
func start(t testing.TB, cfg journal.EmbeddedConfig) (*journal.Embedded, *nats.Conn) {
	t.Helper()
	if cfg.StoreDir == "" {
		cfg.StoreDir = t.TempDir()
	}
	e, err := journal.StartEmbedded(t.Context(), cfg, quiet)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Stop(); err != nil {
			t.Error(err)
		}
	})
	nc, err := e.Connect(t.Name())
	if err != nil {
		t.Fatal(err)
	}
	return e, nc
}

func config() journal.Config {
	return journal.Config{Stream: "SKALD_0", Subjects: []string{"skald.>"}, Create: true, Log: quiet}
}

func open(t testing.TB, nc *nats.Conn, cfg journal.Config) *journal.Journal {
	t.Helper()
	j, err := journal.Open(t.Context(), nc, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// streams opens every case of the suite on a new stream of one server. Streams may
// not overlap in their subjects, so each replaces the one before.
func streams(nc *nats.Conn, replicas int) journaltest.Open {
	var n atomic.Int64
	return func(t *testing.T, s journaltest.Setup) journaltest.Instance {
		t.Helper()
		cfg := config()
		cfg.Stream = fmt.Sprint("SKALD_", n.Add(1))
		cfg.Replicas, cfg.Wrap, cfg.MaxMessage, cfg.MaxBytes = replicas, s.Wrap, s.MaxMessage, s.MaxBytes
		dropOthers(t, nc)
		j := reopen(t, nc, cfg)
		return journaltest.Instance{Log: j, Purge: j.Purge, Foreign: func(subject string, data []byte) {
			if _, err := nc.Request(subject, data, 5e9); err != nil {
				t.Error(err)
			}
		}}
	}
}

func dropOthers(t *testing.T, nc *nats.Conn) {
	t.Helper()
	js, err := nc.JetStream()
	if err != nil {
		t.Fatal(err)
	}
	for name := range js.StreamNames() {
		if err := js.DeleteStream(name); err != nil {
			t.Fatal(err)
		}
	}
}

func TestConformance(t *testing.T) {
	_, nc := start(t, journal.EmbeddedConfig{})
	journaltest.Run(t, streams(nc, 1))
}
