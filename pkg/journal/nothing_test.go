package journal_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/skaldrpg/skald/pkg/journal"
)

// Who reads what is new and finds nothing has cost the server no consumer: that is what
// every fight asks that is taken into memory.
func TestReadingNothingMakesNoConsumer(t *testing.T) {
	_, nc := start(t, journal.EmbeddedConfig{})
	j := open(t, nc, config())
	const read, other = "skald.0.t.encounter.e", "skald.0.t.encounter.f"
	at := appendN(t, j, read, 0, 3)
	appendN(t, j, other, 0, 2) // the stream goes on, the subject does not
	asked, err := nc.SubscribeSync("$JS.EVENT.ADVISORY.API")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, subject string
		from          uint64
		records       int
	}{
		{"all was read", read, at + 1, 0},
		{"there never was one", "skald.0.t.encounter.g", 1, 0},
		{"beyond the stream's end", read, at + 3, 0},
		{"the last one", read, at, 1},
	} {
		n := 0
		if err := j.Read(t.Context(), c.subject, c.from, 0, func(journal.Record) error { n++; return nil }); err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if n != c.records {
			t.Errorf("%s: %d records", c.name, n)
		}
	}
	// The server tells of what it was asked in the order in which it was.
	made := next(t, asked, "CONSUMER.CREATE.")
	if !strings.Contains(made, read) {
		t.Errorf("the first consumer was made by %s", made)
	}
	if !strings.Contains(made, `"opt_start_seq":3`) {
		t.Errorf("the first consumer was not that of the last read: %s", made)
	}
}

// next is the next request of a kind of which the server tells.
func next(t *testing.T, asked *nats.Subscription, kind string) string {
	t.Helper()
	for {
		m, err := asked.NextMsg(20 * time.Second)
		if err != nil {
			t.Fatal(err)
		}
		var said struct{ Subject, Request string }
		if err := json.Unmarshal(m.Data, &said); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(said.Subject, kind) {
			return said.Subject + " " + said.Request
		}
	}
}
