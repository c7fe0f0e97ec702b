package journal_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/journal/memjournal"
)

// counted counts questions for the last record, and answers with other bytes when told to.
type countedLog struct {
	journal.Log
	asked   int
	data    []byte
	renewed uint64
}

func (c *countedLog) Renewed() uint64 { return c.renewed }

func (c *countedLog) Last(ctx context.Context, subject string) (journal.Record, bool, error) {
	c.asked++
	rec, ok, err := c.Log.Last(ctx, subject)
	if c.data != nil {
		rec.Data = c.data
	}
	return rec, ok, err
}

func TestHeads(t *testing.T) {
	const subject = "skald.0.t.encounter.e"
	mem := memjournal.New(memjournal.Options{})
	log := &countedLog{Log: mem}
	ctx := context.Background()
	put := func(data string, expected uint64) {
		t.Helper()
		if _, err := log.Append(ctx, journal.Message{Subject: subject, ID: data, Data: []byte(data), Expected: expected}); err != nil {
			t.Fatal(err)
		}
	}
	head := func(seq uint64, data string) journal.Head {
		return journal.Head{Subject: subject, Sequence: seq, Same: func(b []byte) bool { return string(b) == data }}
	}
	var altered *journal.AlteredError
	h := journal.NewHeads(log)
	if err := h.Compare(ctx, head(0, "")); err != nil {
		t.Errorf("nothing there, nothing folded: %v", err)
	}
	if err := h.Compare(ctx, head(1, "a")); !errors.As(err, &altered) {
		t.Errorf("folded, and gone: %v", err)
	}
	put("a", 0)
	log.asked = 0
	for range 3 {
		if err := h.Start(ctx, head(1, "a"))(); err != nil {
			t.Error(err)
		}
	}
	if log.asked != 1 {
		t.Errorf("asked %d times within a second", log.asked)
	}
	log.renewed++
	if err := h.Compare(ctx, head(1, "b")); !errors.As(err, &altered) || altered.Sequence != 1 || log.asked != 2 {
		t.Errorf("other bytes over a new connection: %v, asked %d", err, log.asked)
	}
	put("b", 1)
	if err := h.Compare(ctx, head(1, "a")); err != nil {
		t.Errorf("behind is no alteration: %v", err)
	}
	h.Appended(subject, 2)
	log.data = []byte("x")
	if err := h.Compare(ctx, head(2, "b")); err != nil {
		t.Errorf("just appended: %v", err)
	}
	time.Sleep(journal.TrustHead + 10*time.Millisecond)
	if err := h.Compare(ctx, head(2, "b")); !errors.As(err, &altered) {
		t.Errorf("a second later: %v", err)
	}
	mem.Truncate(1)
	log.data = nil
	if err := h.Compare(ctx, head(2, "b")); !errors.As(err, &altered) {
		t.Errorf("the log lost its end: %v", err)
	}
}
