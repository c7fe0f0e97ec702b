package memjournal_test

import (
	"context"
	"errors"
	"testing"

	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/journal/journaltest"
	"github.com/skaldrpg/skald/pkg/journal/memjournal"
)

func TestConformance(t *testing.T) {
	t.Parallel()
	journaltest.Run(t, func(_ *testing.T, s journaltest.Setup) journaltest.Instance {
		l := memjournal.New(memjournal.Options{Wrap: s.Wrap, MaxMessage: s.MaxMessage, MaxBytes: int(s.MaxBytes)})
		return journaltest.Instance{Log: l, Purge: l.Purge, Foreign: func(subject string, data []byte) { l.Foreign(subject, data) }}
	})
}

func TestTruncateAndReplace(t *testing.T) {
	l, ctx := memjournal.New(memjournal.Options{}), t.Context()
	for i := range uint64(3) {
		if _, err := l.Append(ctx, journal.Message{Subject: "s", ID: string(rune('a' + i)), Expected: i}); err != nil {
			t.Fatal(err)
		}
	}
	l.Truncate(2)
	if r, ok, err := l.Last(ctx, "s"); err != nil || !ok || r.Seq != 2 {
		t.Fatalf("last %+v %v %v", r, ok, err)
	}
	started := false
	err := l.Tail(ctx, journal.TailConfig{FromSeq: 3}, func(context.Context, journal.Batch) error {
		if !started {
			started = true
			l.Replace("another")
		}
		return nil
	})
	if !errors.Is(err, journal.ErrStreamReplaced) {
		t.Fatalf("got %v", err)
	}
	if info, err := l.Info(ctx); err != nil || info.StreamID != "another" || info.LastSeq != 0 {
		t.Fatalf("%+v %v", info, err)
	}
}
