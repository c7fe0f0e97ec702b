package journaltest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/journal"
)

// seed appends n records, alternating between two subjects.
func seed(t *testing.T, l journal.Log, from, n int) {
	t.Helper()
	subjects := []string{subject, other}
	last := map[string]uint64{}
	for _, s := range subjects {
		r, _, err := l.Last(deadline(t), s)
		if err != nil {
			t.Fatal(err)
		}
		last[s] = r.Seq
	}
	for i := from; i < from+n; i++ {
		s := subjects[i%2]
		last[s] = must(t, l, journal.Message{Subject: s, ID: fmt.Sprint("r", i), Data: []byte{byte(i)}, Expected: last[s]})
	}
}

func testRead(t *testing.T, open Open) {
	l, ctx := open(t, Setup{}).Log, deadline(t)
	wantCount(t, l, 0)
	seed(t, l, 1, 10)
	for _, c := range []struct {
		name     string
		filter   string
		from, to uint64
		want     []uint64
	}{
		{"all", "", 0, 0, []uint64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}},
		{"all by wildcard", "skald.>", 1, 0, []uint64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}},
		{"range", "", 3, 5, []uint64{3, 4, 5}},
		{"one", "", 7, 7, []uint64{7}},
		{"beyond the end", "", 9, 99, []uint64{9, 10}},
		{"after the end", "", 11, 0, nil},
		{"reversed", "", 5, 3, nil},
		{"one subject", subject, 1, 0, []uint64{2, 4, 6, 8, 10}},
		{"one subject, range between its records", subject, 3, 7, []uint64{4, 6}},
		{"by kind", "skald.0.*.patient.>", 1, 6, []uint64{1, 3, 5}},
		{"no such subject", "skald.0.t9.>", 1, 0, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []uint64
			err := l.Read(ctx, c.filter, c.from, c.to, func(r journal.Record) error {
				if r.ID != fmt.Sprint("r", r.Seq) || r.Data[0] != byte(r.Seq) {
					return fmt.Errorf("record %+v is another's", r)
				}
				got = append(got, r.Seq)
				return nil
			})
			if err != nil || !slices.Equal(got, c.want) {
				t.Fatalf("got %v, want %v; %v", got, c.want, err)
			}
		})
	}
	stop := errors.New("enough")
	n := 0
	if err := l.Read(ctx, "", 1, 0, func(journal.Record) error { n++; return stop }); !errors.Is(err, stop) || n != 1 {
		t.Fatalf("stopped after %d with %v", n, err)
	}
}

// testReadOwn reads and tails right after each append: what was acknowledged is
// there, whichever replica answers, and no tail claims the end before it.
func testReadOwn(t *testing.T, open Open) {
	l := open(t, Setup{}).Log
	for i := uint64(1); i <= 25; i++ {
		seq := must(t, l, msg(fmt.Sprint("own", i), i-1))
		for _, filter := range []string{"", subject, "skald.0.*.encounter.>"} {
			var last uint64
			if err := l.Read(deadline(t), filter, 1, 0, func(r journal.Record) error { last = r.Seq; return nil }); err != nil || last != seq {
				t.Fatalf("read with filter %q ends at %d, want %d; %v", filter, last, seq, err)
			}
		}
		if seen := follow(t, l, journal.TailConfig{FromSeq: seq}, caughtUp); !slices.Equal(seen, []uint64{seq}) {
			t.Fatalf("tail claims the end after %v, appended %d", seen, seq)
		}
	}
}

var errEnough = errors.New("enough")

// follow tails until enough says so, and fails the test on any gap or repetition.
func follow(t *testing.T, l journal.Log, cfg journal.TailConfig, enough func(seen []uint64, b journal.Batch) bool) []uint64 {
	t.Helper()
	var seen []uint64
	err := l.Tail(deadline(t), cfg, func(_ context.Context, b journal.Batch) error {
		if cfg.MaxBatch > 0 && len(b.Records) > cfg.MaxBatch {
			return fmt.Errorf("batch of %d, limit %d", len(b.Records), cfg.MaxBatch)
		}
		for _, r := range b.Records {
			if len(seen) > 0 && r.Seq <= seen[len(seen)-1] {
				return fmt.Errorf("sequence %d after %d", r.Seq, seen[len(seen)-1])
			}
			seen = append(seen, r.Seq)
		}
		if enough(seen, b) {
			return errEnough
		}
		return nil
	})
	if !errors.Is(err, errEnough) {
		t.Fatalf("tail after %d records: %v", len(seen), err)
	}
	return seen
}

func caughtUp(_ []uint64, b journal.Batch) bool { return b.CaughtUp }

func testTail(t *testing.T, open Open) {
	l := open(t, Setup{}).Log
	t.Run("empty", func(t *testing.T) {
		follow(t, l, journal.TailConfig{}, func(seen []uint64, b journal.Batch) bool {
			return len(seen) == 0 && b.CaughtUp && b.LastSeq == 0
		})
	})
	seed(t, l, 1, 20)
	for name, cfg := range map[string]journal.TailConfig{"default": {}, "ones": {MaxBatch: 1}, "sevens": {MaxBatch: 7, FromSeq: 1}} {
		t.Run(name, func(t *testing.T) {
			var last uint64
			seen := follow(t, l, cfg, func(_ []uint64, b journal.Batch) bool { last = b.LastSeq; return b.CaughtUp })
			if len(seen) != 20 || last != 20 {
				t.Fatalf("caught up at %d after %d records", last, len(seen))
			}
		})
	}
	t.Run("filtered", func(t *testing.T) {
		seen := follow(t, l, journal.TailConfig{Filter: other}, caughtUp)
		if len(seen) != 10 || seen[0] != 1 {
			t.Fatalf("seen %v", seen)
		}
		seen = follow(t, l, journal.TailConfig{Filter: "skald.0.t9.>"}, func(_ []uint64, b journal.Batch) bool {
			return b.CaughtUp && b.LastSeq == 20
		})
		if len(seen) != 0 {
			t.Fatalf("seen %v", seen)
		}
	})
	t.Run("ends with its context", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		err := l.Tail(ctx, journal.TailConfig{}, func(_ context.Context, b journal.Batch) error {
			if b.CaughtUp {
				cancel()
			}
			return nil
		})
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("got %v", err)
		}
	})
}

// testTailResume follows while somebody writes, stops and resumes at arbitrary
// places, and must see every sequence exactly once.
func testTailResume(t *testing.T, open Open) {
	l := open(t, Setup{}).Log
	const total = 120
	written := make(chan struct{})
	go func() {
		defer close(written)
		seed(t, l, 1, total)
	}()
	var seen []uint64
	for stop := 7; len(seen) < total; stop += 13 {
		part := follow(t, l, journal.TailConfig{FromSeq: uint64(len(seen)) + 1, MaxBatch: 5}, func(s []uint64, _ journal.Batch) bool {
			return len(seen)+len(s) >= min(stop, total)
		})
		seen = append(seen, part...)
	}
	<-written
	for i, seq := range seen {
		if seq != uint64(i)+1 {
			t.Fatalf("at %d: sequence %d", i, seq)
		}
	}
}

func testTailBeyond(t *testing.T, open Open) {
	l := open(t, Setup{}).Log
	seed(t, l, 1, 3)
	follow(t, l, journal.TailConfig{FromSeq: 4}, caughtUp) // the next one is fine
	err := l.Tail(deadline(t), journal.TailConfig{FromSeq: 5}, func(context.Context, journal.Batch) error { return errEnough })
	var behind *journal.BehindError
	if !errors.As(err, &behind) || behind.From != 5 || behind.Last != 3 {
		t.Fatalf("got %v, want behind", err)
	}
}
