// Package journaltest is the conformance suite of journal.Log: what JetStream and
// its in-memory twin must both do, faults beneath the retry logic included.
//
// It is for tests only and must never be imported by anything that runs.
package journaltest

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/journal/faultjournal"
)

// Setup is what a case asks of the log it gets.
type Setup struct {
	Wrap       func(journal.Backend) journal.Backend // faults, nil for none
	MaxMessage int                                   // bytes, 0 for the default
	MaxBytes   int64                                 // after which the log is full, 0 for never
}

// Instance is an empty log that stores the subjects "skald.>".
type Instance struct {
	Log     journal.Log
	Foreign func(subject string, data []byte)              // a publish without guard and id
	Purge   func(ctx context.Context, filter string) error // the administrator's
}

// Open makes an Instance that ends with the test.
type Open func(t *testing.T, s Setup) Instance

// Run runs the suite.
func Run(t *testing.T, open Open) {
	t.Helper()
	t.Run("append", func(t *testing.T) { testAppend(t, open) })
	t.Run("conflict", func(t *testing.T) { testConflict(t, open) })
	t.Run("repeat", func(t *testing.T) { testRepeat(t, open) })
	t.Run("fault", func(t *testing.T) { testFaults(t, open) })
	t.Run("unknown", func(t *testing.T) { testUnknown(t, open) })
	t.Run("refused", func(t *testing.T) { testRefused(t, open) })
	t.Run("full", func(t *testing.T) { testFull(t, open) })
	t.Run("atomic", func(t *testing.T) { testAtomic(t, open) })
	t.Run("atomic-fault", func(t *testing.T) { testAtomicFaults(t, open) })
	t.Run("race", func(t *testing.T) { testRace(t, open) })
	t.Run("foreign", func(t *testing.T) { testForeign(t, open) })
	t.Run("purge", func(t *testing.T) { testPurge(t, open) })
	t.Run("read", func(t *testing.T) { testRead(t, open) })
	t.Run("read-own", func(t *testing.T) { testReadOwn(t, open) })
	t.Run("tail", func(t *testing.T) { testTail(t, open) })
	t.Run("tail-resume", func(t *testing.T) { testTailResume(t, open) })
	t.Run("tail-beyond", func(t *testing.T) { testTailBeyond(t, open) })
}

const subject, other = "skald.0.t1.encounter.e1", "skald.0.t1.patient.p1"

func msg(id string, expected uint64) journal.Message {
	return journal.Message{Subject: subject, ID: id, Data: []byte("data of " + id), Expected: expected}
}

func deadline(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	t.Cleanup(cancel)
	return ctx
}

// must appends a record. A stream that has just been made may have no leader yet, or have
// lost it: what was not sent is given again, as callers do.
func must(t *testing.T, l journal.Log, m journal.Message) uint64 {
	t.Helper()
	ctx := deadline(t)
	seq, err := l.Append(ctx, m)
	for errors.Is(err, journal.ErrNotSent) && ctx.Err() == nil {
		seq, err = l.Append(ctx, m)
	}
	if err != nil {
		t.Fatalf("append %s: %v", m.ID, err)
	}
	return seq
}

// count is how many records the log really holds.
func count(t *testing.T, l journal.Log) int {
	t.Helper()
	n := 0
	if err := l.Read(deadline(t), "", 1, 0, func(journal.Record) error { n++; return nil }); err != nil {
		t.Fatal(err)
	}
	return n
}

func wantCount(t *testing.T, l journal.Log, want int) {
	t.Helper()
	if n := count(t, l); n != want {
		t.Fatalf("log holds %d records, want %d", n, want)
	}
}

func wantConflict(t *testing.T, err error, subject string, expected uint64) {
	t.Helper()
	var c *journal.ConflictError
	if !errors.As(err, &c) {
		t.Fatalf("got %v, want a conflict", err)
	}
	if c.Subject != subject || c.Expected != expected {
		t.Fatalf("conflict %+v, want subject %s expected %d", c, subject, expected)
	}
}

func testAppend(t *testing.T, open Open) {
	l, ctx := open(t, Setup{}).Log, deadline(t)
	if _, ok, err := l.Last(ctx, subject); ok || err != nil {
		t.Fatalf("last of nothing: %v %v", ok, err)
	}
	before, err := l.Info(ctx)
	if err != nil || before.LastSeq != 0 || before.StreamID == "" {
		t.Fatalf("info of nothing: %+v %v", before, err)
	}
	a := must(t, l, msg("a", 0))
	b := must(t, l, msg("b", a))
	if a != 1 || b != 2 {
		t.Fatalf("sequences %d %d, want 1 2", a, b)
	}
	r, ok, err := l.Last(ctx, subject)
	if err != nil || !ok || r.Seq != b || r.Time.IsZero() || !r.Is(msg("b", a)) {
		t.Fatalf("last: %+v %v %v", r, ok, err)
	}
	if r, ok, err = l.At(ctx, a); err != nil || !ok || !r.Is(msg("a", 0)) {
		t.Fatalf("at %d: %+v %v %v", a, r, ok, err)
	}
	for _, seq := range []uint64{0, 3} {
		if _, ok, err = l.At(ctx, seq); ok || err != nil {
			t.Fatalf("at %d: %v %v", seq, ok, err)
		}
	}
	info, err := l.Info(ctx)
	if err != nil || info.FirstSeq != 1 || info.LastSeq != 2 || info.Messages != 2 || info.StreamID != before.StreamID {
		t.Fatalf("info: %+v %v", info, err)
	}
}

func testConflict(t *testing.T, open Open) {
	l := open(t, Setup{}).Log
	a := must(t, l, msg("a", 0))
	b := must(t, l, msg("b", a))
	for name, guard := range map[string]uint64{"none": 0, "stale": a, "beyond the end": b + 7} {
		_, err := l.Append(deadline(t), msg("c-"+name[:4], guard))
		wantConflict(t, err, subject, guard)
	}
	// Another subject's records do not count.
	must(t, l, journal.Message{Subject: other, ID: "p", Data: nil, Expected: 0})
	must(t, l, msg("d", b))
	wantCount(t, l, 4)
}

func testRepeat(t *testing.T, open Open) {
	l := open(t, Setup{}).Log
	a := must(t, l, msg("a", 0))
	if again := must(t, l, msg("a", 0)); again != a {
		t.Fatalf("repeat got %d, want %d", again, a)
	}
	b := must(t, l, msg("b", a))
	if again := must(t, l, msg("a", 0)); again != a { // although it is no longer the last
		t.Fatalf("late repeat got %d, want %d", again, a)
	}
	changed := msg("a", 0)
	changed.Data = []byte("decided anew")
	_, err := l.Append(deadline(t), changed)
	wantConflict(t, err, subject, 0)

	// The same id under a guard that holds is a mistake of the caller.
	if _, err := l.Append(deadline(t), msg("a", b)); !errors.Is(err, journal.ErrInvalid) {
		t.Fatalf("reused id: %v", err)
	}
	wantCount(t, l, 2)
}

func testFaults(t *testing.T, open Open) {
	const (
		lostReq, lostAck, late = faultjournal.LoseRequest, faultjournal.LoseAck, faultjournal.Late
		guard, race, inFlight  = faultjournal.GuardCode, faultjournal.RaceCode, faultjournal.InFlight
	)
	cases := map[string][]faultjournal.Fault{
		"lost ack":               {lostAck},
		"lost request":           {lostReq},
		"late arrival":           {late},
		"twice":                  {faultjournal.Twice},
		"unreachable":            {faultjournal.Unreachable, faultjournal.Unreachable},
		"10071 in error":         {guard},
		"10164 in flight":        {race, race},
		"10158 in flight":        {inFlight},
		"lost request, then ack": {lostReq, lostAck},
		"late, lost ack":         {late, lostAck},
		"late, 10164, lost ack":  {late, race, lostAck},
		"late, lost request":     {late, lostReq},
	}
	for name, faults := range cases {
		t.Run(name, func(t *testing.T) {
			l := open(t, Setup{Wrap: faultjournal.Beneath(faultjournal.First(faults...))}).Log
			a := must(t, l, msg("a", 0))
			b := must(t, l, msg("b", a))
			wantCount(t, l, 2)
			if r, _, err := l.Last(deadline(t), subject); err != nil || r.Seq != b || !r.Is(msg("b", a)) {
				t.Fatalf("last %+v %v", r, err)
			}
		})
	}
	t.Run("another writer wins while the outcome is open", func(t *testing.T) {
		for _, f := range []faultjournal.Fault{lostReq, guard, race} {
			var l journal.Log
			plan := func(_ int, ms []journal.Message) faultjournal.Fault {
				if ms[0].ID == "mine" {
					if _, err := l.Append(t.Context(), msg("theirs", 0)); err != nil {
						t.Error(err)
					}
					return f
				}
				return faultjournal.None
			}
			l = open(t, Setup{Wrap: faultjournal.Beneath(plan)}).Log
			_, err := l.Append(deadline(t), msg("mine", 0))
			wantConflict(t, err, subject, 0)
			wantCount(t, l, 1)
		}
	})
}

func testUnknown(t *testing.T, open Open) {
	l := open(t, Setup{Wrap: faultjournal.Beneath(faultjournal.Always(faultjournal.LoseRequest))}).Log
	ctx, cancel := context.WithTimeout(t.Context(), 150*time.Millisecond)
	defer cancel()
	_, err := l.Append(ctx, msg("a", 0))
	if !errors.Is(err, journal.ErrUnknownOutcome) || !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("got %v, want unknown outcome at the deadline", err)
	}
	l = open(t, Setup{}).Log
	done, stop := context.WithCancel(t.Context())
	stop()
	if _, err := l.Append(done, msg("a", 0)); !errors.Is(err, context.Canceled) || errors.Is(err, journal.ErrUnknownOutcome) {
		t.Fatalf("append after the end: %v", err)
	}
	wantCount(t, l, 0)
}

func testRefused(t *testing.T, open Open) {
	l := open(t, Setup{MaxMessage: 4096}).Log
	long := msg("long", 0)
	long.Data = make([]byte, 4096)
	_, err := l.Append(deadline(t), long)
	var big *journal.TooLargeError
	if !errors.As(err, &big) || big.Limit != 4096 || big.Size <= 4096 {
		t.Fatalf("got %v, want too large", err)
	}
	if _, err = l.AppendAtomic(deadline(t), []journal.Message{{Subject: other, ID: "p"}, long}); !errors.As(err, &big) {
		t.Fatalf("batch: got %v, want too large", err)
	}
	long.Data = long.Data[:4096-journal.Size(msg("long", 0))]
	must(t, l, long) // what Size allows does fit
	for name, m := range map[string]journal.Message{
		"wildcard":    {Subject: "skald.0.*.encounter.e", ID: "x"},
		"no subject":  {ID: "x"},
		"no id":       {Subject: subject},
		"blank in id": {Subject: subject, ID: "x y"},
	} {
		if _, err := l.Append(deadline(t), m); !errors.Is(err, journal.ErrInvalid) {
			t.Fatalf("%s: got %v, want invalid", name, err)
		}
	}
	for name, ms := range map[string][]journal.Message{
		"empty":            nil,
		"subject twice":    {msg("x", 1), msg("y", 1)},
		"message id twice": {msg("x", 1), {Subject: other, ID: "x"}},
	} {
		if _, err := l.AppendAtomic(deadline(t), ms); !errors.Is(err, journal.ErrInvalid) {
			t.Fatalf("batch, %s: got %v, want invalid", name, err)
		}
	}
	wantCount(t, l, 1)
}

func testFull(t *testing.T, open Open) {
	l := open(t, Setup{MaxBytes: 64 << 10}).Log
	stored, last := 0, uint64(0)
	var err error
	for i := 0; i < 100 && err == nil; i++ {
		m := msg(fmt.Sprint("m", i), last)
		m.Data = make([]byte, 4096)
		var seq uint64
		if seq, err = l.Append(deadline(t), m); err == nil {
			stored, last = stored+1, seq
		}
	}
	if !errors.Is(err, journal.ErrFull) || errors.Is(err, journal.ErrUnknownOutcome) {
		t.Fatalf("after %d: %v, want full", stored, err)
	}
	if stored == 0 {
		t.Fatal("full from the start")
	}
	if _, err = l.AppendAtomic(deadline(t), []journal.Message{
		{Subject: subject, ID: "b1", Expected: last, Data: make([]byte, 4096)}, {Subject: other, ID: "b2", Data: make([]byte, 4096)},
	}); !errors.Is(err, journal.ErrFull) {
		t.Fatalf("batch: %v, want full", err)
	}
	wantCount(t, l, stored)

	l = open(t, Setup{Wrap: faultjournal.Beneath(faultjournal.Always(faultjournal.Unwritable))}).Log
	_, err = l.Append(deadline(t), msg("a", 0)) // refused for want of room on the disk, and nobody knows what was written
	for _, want := range []error{journal.ErrUnwritable, journal.ErrFull, journal.ErrUnknownOutcome} {
		if !errors.Is(err, want) {
			t.Fatalf("got %v, want %v", err, want)
		}
	}
	l = open(t, Setup{Wrap: faultjournal.Beneath(faultjournal.First(faultjournal.Late, faultjournal.Full))}).Log
	if seq, err := l.Append(deadline(t), msg("a", 0)); err != nil || seq != 1 { // full answered, yet the first copy had landed
		t.Fatalf("got %d %v, want the late copy", seq, err)
	}
}

func pair(id string, guard, otherGuard uint64) []journal.Message {
	return []journal.Message{msg(id, guard), {Subject: other, ID: id + "-p", Data: []byte("patient of " + id), Expected: otherGuard}}
}

func testAtomic(t *testing.T, open Open) {
	l, ctx := open(t, Setup{}).Log, deadline(t)
	first, err := l.AppendAtomic(ctx, pair("a", 0, 0))
	if err != nil || len(first) != 2 || first[0] != 1 || first[1] != 2 {
		t.Fatalf("batch: %v %v", first, err)
	}
	_, err = l.AppendAtomic(ctx, pair("b", 0, first[1]))
	wantConflict(t, err, subject, 0)
	_, err = l.AppendAtomic(ctx, pair("c", first[0], 0))
	wantConflict(t, err, other, 0)
	_, err = l.AppendAtomic(ctx, pair("d", first[0], 99))
	wantConflict(t, err, other, 99)
	wantCount(t, l, 2)
	again, err := l.AppendAtomic(ctx, pair("a", 0, 0))
	if err != nil || again[0] != first[0] || again[1] != first[1] {
		t.Fatalf("repeat: %v %v", again, err)
	}
	second, err := l.AppendAtomic(ctx, pair("e", first[0], first[1]))
	if err != nil || second[0] != 3 || second[1] != 4 {
		t.Fatalf("second batch: %v %v", second, err)
	}
	if seq, err := l.AppendAtomic(ctx, []journal.Message{msg("f", second[0])}); err != nil || seq[0] != 5 {
		t.Fatalf("batch of one: %v %v", seq, err)
	}
	wantCount(t, l, 5)
}

func testAtomicFaults(t *testing.T, open Open) {
	for name, f := range map[string]faultjournal.Fault{
		"lost ack": faultjournal.LoseAck, "lost request": faultjournal.LoseRequest, "late": faultjournal.Late,
		"twice": faultjournal.Twice, "10071": faultjournal.GuardCode, "10164": faultjournal.RaceCode,
	} {
		t.Run(name, func(t *testing.T) {
			l := open(t, Setup{Wrap: faultjournal.Beneath(faultjournal.First(f))}).Log
			seqs, err := l.AppendAtomic(deadline(t), pair("a", 0, 0))
			if err != nil || seqs[0] != 1 || seqs[1] != 2 {
				t.Fatalf("%v %v", seqs, err)
			}
			wantCount(t, l, 2)
		})
	}
}

// testRace has writers contend for one subject, with lost acknowledgements and
// false refusals in between: every append that succeeded is there exactly once.
func testRace(t *testing.T, open Open) {
	const writers, each = 4, 15
	faults := []faultjournal.Fault{0, 0, faultjournal.LoseAck, 0, faultjournal.RaceCode, 0, faultjournal.LoseRequest, faultjournal.Twice}
	plan := func(n int, _ []journal.Message) faultjournal.Fault { return faults[n%len(faults)] }
	l, ctx := open(t, Setup{Wrap: faultjournal.Beneath(plan)}).Log, deadline(t)
	errs := make(chan error, writers)
	for w := range writers {
		go func() { errs <- contend(ctx, l, w, each) }()
	}
	for range writers {
		if err := <-errs; err != nil {
			t.Fatal(err)
		}
	}
	seen, last := map[string]bool{}, uint64(0)
	err := l.Read(ctx, subject, 1, 0, func(r journal.Record) error {
		if seen[r.ID] || r.Seq <= last {
			return fmt.Errorf("record %s at %d repeated or out of order", r.ID, r.Seq)
		}
		seen[r.ID], last = true, r.Seq
		return nil
	})
	if err != nil || len(seen) != writers*each {
		t.Fatalf("%d records, want %d; %v", len(seen), writers*each, err)
	}
}

func contend(ctx context.Context, l journal.Log, writer, n int) error {
	for i := 0; i < n; {
		last, _, err := l.Last(ctx, subject)
		if err != nil {
			return err
		}
		var lost *journal.ConflictError
		_, err = l.Append(ctx, msg(fmt.Sprintf("w%d-%d", writer, i), last.Seq))
		switch {
		case err == nil:
			i++
		case !errors.As(err, &lost):
			return err
		}
	}
	return nil
}

func testForeign(t *testing.T, open Open) {
	in := open(t, Setup{})
	a := must(t, in.Log, msg("a", 0))
	in.Foreign(subject, []byte("not ours"))
	_, err := in.Log.Append(deadline(t), msg("b", a)) // the guard notices it
	wantConflict(t, err, subject, a)
	var ids []string
	if err := in.Log.Read(deadline(t), "", 1, 0, func(r journal.Record) error { ids = append(ids, r.ID); return nil }); err != nil {
		t.Fatal(err)
	}
	if len(ids) != 2 || ids[0] != "a" || ids[1] != "" {
		t.Fatalf("ids %q: a foreign record must reach readers without an id", ids)
	}
}

func testPurge(t *testing.T, open Open) {
	in, ctx := open(t, Setup{}), deadline(t)
	a := must(t, in.Log, msg("a", 0))
	keep := must(t, in.Log, journal.Message{Subject: "skald.0.t2.encounter.e", ID: "k"})
	for _, filter := range []string{"", ">"} {
		if err := in.Purge(ctx, filter); !errors.Is(err, journal.ErrInvalid) {
			t.Fatalf("purge of everything: %v", err)
		}
	}
	if err := in.Purge(ctx, "skald.0.t1.>"); err != nil {
		t.Fatal(err)
	}
	_, err := in.Log.Append(ctx, msg("b", a)) // decided on what is gone
	wantConflict(t, err, subject, a)
	if seq := must(t, in.Log, msg("c", 0)); seq != keep+1 {
		t.Fatalf("sequence %d was used before", seq)
	}
	wantCount(t, in.Log, 2)
}
