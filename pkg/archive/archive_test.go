package archive_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/skaldrpg/skald/pkg/archive"
	"github.com/skaldrpg/skald/pkg/archive/archivetest"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/journal/memjournal"
	"github.com/skaldrpg/skald/pkg/ops"
)

var quiet = slog.New(slog.NewTextHandler(io.Discard, nil))

const small = 4 << 10 // bytes of a segment, so that tests have many

func config(log journal.Log, s archive.Store) archive.Config {
	return archive.Config{Log: log, Store: s, Subjects: []string{"skald.0.>"}, SegmentBytes: small, SyncEvery: 5 * time.Millisecond,
		ScrubPause: time.Microsecond, Pause: 5 * time.Millisecond, Logger: quiet}
}

var ids atomic.Int64

// grow appends n records to a log.
func grow(t testing.TB, log journal.Log, n int) {
	t.Helper()
	for i := range n {
		subject := fmt.Sprintf("skald.0.t.encounter.e%d", i%5)
		last, _, err := log.Last(t.Context(), subject)
		if err != nil {
			t.Fatal(err)
		}
		data := bytes.Repeat([]byte(fmt.Sprint(last.Seq, " ", i, " ")), 1+i%40)
		if _, err := log.Append(t.Context(), journal.Message{Subject: subject, ID: fmt.Sprint("id-", ids.Add(1)), Data: data, Expected: last.Seq}); err != nil {
			t.Fatal(err)
		}
	}
}

// held is what a log holds, as text.
func held(t testing.TB, log journal.Log) (out []string) {
	t.Helper()
	if err := log.Read(t.Context(), "", 1, 0, func(r journal.Record) error { out = append(out, line(r)); return nil }); err != nil {
		t.Fatal(err)
	}
	return out
}

func line(r journal.Record) string {
	return fmt.Sprintf("%d %s %s %s %q", r.Seq, r.Subject, r.ID, r.Time.UTC().Format(time.RFC3339Nano), r.Data)
}

// archived is what an archive holds, as text.
func archived(t testing.TB, s archive.Store, from uint64) (out []string, h archive.Head) {
	t.Helper()
	h, err := archive.Records(t.Context(), s, from, func(r journal.Record, _ archive.Chain) error { out = append(out, line(r)); return nil })
	if err != nil {
		t.Fatal(err)
	}
	return out, h
}

func equal(t testing.TB, log journal.Log, s archive.Store) archive.Head {
	t.Helper()
	want := held(t, log)
	got, h := archived(t, s, 1)
	if !slices.Equal(got, want) {
		t.Fatalf("%d records archived, want %d", len(got), len(want))
	}
	if found, checked, err := archive.Check(t.Context(), s); err != nil || len(found) > 0 || checked.Seq != h.Seq || checked.Chain != h.Chain {
		t.Fatalf("check: %v, %+v, %v; read %+v", found, checked, err, h)
	}
	return h
}

func catchUp(t testing.TB, log journal.Log, s archive.Store) archive.Head {
	t.Helper()
	h, err := archive.New(config(log, s)).CatchUp(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// run keeps an archiver going until the returned function ends it.
func run(t testing.TB, a *archive.Archiver) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- a.Run(ctx) }()
	stopped := false
	stop = func() {
		if stopped {
			return
		}
		stopped = true
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Errorf("run ended with %v", err)
		}
	}
	t.Cleanup(stop)
	return stop
}

func until(t testing.TB, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); !ok(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("never: %s", what)
		}
	}
}

func figure(p ops.Part, name string) float64 {
	for _, f := range p.Figures {
		if f.Name == name {
			return f.Value
		}
	}
	return -1
}

func snapshot(t testing.TB, s archive.Store) map[string]string {
	t.Helper()
	list, err := s.List(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, o := range list {
		r, err := s.Get(t.Context(), o.Name)
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		out[o.Name] = string(data)
	}
	return out
}

// Everything that is written comes into the archive, purged gaps and restarts
// included, and what is sealed never changes.
func TestFollows(t *testing.T) {
	for name, open := range map[string]func(t *testing.T) archive.Store{
		"folder": func(t *testing.T) archive.Store { return folder(t, t.TempDir()) },
		"bucket": func(*testing.T) archive.Store { return archivetest.NewBucket() },
	} {
		t.Run(name, func(t *testing.T) {
			s, log := open(t), memjournal.New(memjournal.Options{})
			grow(t, log, 50)
			if err := log.Purge(t.Context(), "skald.0.t.encounter.e1"); err != nil {
				t.Fatal(err)
			}
			sealed := map[string]string{}
			for range 4 {
				a := archive.New(config(log, s))
				stop := run(t, a)
				grow(t, log, 60)
				info, err := log.Info(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				until(t, "caught up", func() bool { return figure(a.Part(), "archive_sequence") == float64(info.LastSeq) })
				if p := a.Part(); p.State != ops.Fine || figure(p, "archive_behind_records") != 0 || figure(p, "archive_behind_seconds") != 0 || figure(p, "archive_bytes") < small {
					t.Errorf("%+v", p)
				}
				stop()
				equal(t, log, s)
				now := snapshot(t, s)
				for object, data := range sealed {
					if now[object] != data {
						t.Errorf("%s changed", object)
					}
				}
				maps.DeleteFunc(now, func(name, _ string) bool { return !strings.HasSuffix(name, ".zst") })
				sealed = now
			}
			if len(sealed) < 3 {
				t.Errorf("%d segments", len(sealed))
			}
			want := held(t, log)
			for _, from := range []uint64{1, 2, 55, 60, 200, 290} {
				i := slices.IndexFunc(want, func(l string) bool { var seq uint64; fmt.Sscan(l, &seq); return seq >= from })
				if got, _ := archived(t, s, from); !slices.Equal(got, want[i:]) {
					t.Errorf("from %d: %d records, want %d", from, len(got), len(want[i:]))
				}
			}
		})
	}
}

// Killed at any byte of the open segment, the archive goes on from the log, and a
// copy of what was torn is kept.
func TestTorn(t *testing.T) {
	log := memjournal.New(memjournal.Options{})
	full := archivetest.NewBucket()
	grow(t, log, 12)
	c := config(log, full)
	c.SegmentBytes = 1 << 20
	if _, err := archive.New(c).CatchUp(t.Context()); err != nil {
		t.Fatal(err)
	}
	const name = "segment-00000000000000000001.open"
	whole := snapshot(t, full)[name]
	if len(whole) < 200 {
		t.Fatalf("%d bytes", len(whole))
	}
	for n := range len(whole) {
		s := archivetest.NewBucket()
		if err := s.Put(t.Context(), name, []byte(whole[:n])); err != nil {
			t.Fatal(err)
		}
		if found, _, err := archive.Check(t.Context(), s); err != nil || len(found) > 0 {
			t.Fatalf("cut at %d: %v, %v", n, found, err)
		}
		c := config(log, s)
		c.SegmentBytes = 1 << 20
		if _, err := archive.New(c).CatchUp(t.Context()); err != nil {
			t.Fatalf("cut at %d: %v", n, err)
		}
		now := snapshot(t, s)
		if now[name] != whole {
			t.Fatalf("cut at %d: the segment is another", n)
		}
		delete(now, name)
		for aside, data := range now {
			if !strings.HasPrefix(aside, "aside/") || data != whole[:n] {
				t.Fatalf("cut at %d: %s holds other bytes", n, aside)
			}
		}
	}
}

// Any object damaged in any way is made good from the log, or reported, and what
// was damaged is kept.
func TestDamage(t *testing.T) {
	log := memjournal.New(memjournal.Options{})
	grow(t, log, 120)
	base := archivetest.NewBucket()
	want := catchUp(t, log, base)
	good := snapshot(t, base)
	names := slices.Sorted(maps.Keys(good))
	if len(names) < 4 {
		t.Fatalf("%d objects", len(names))
	}
	random := rand.New(rand.NewPCG(8, 8))
	ways := map[string]func([]byte) []byte{
		"flipped": func(b []byte) []byte { b[random.IntN(len(b))] ^= 1 << random.IntN(8); return b },
		"cut":     func(b []byte) []byte { return b[:random.IntN(len(b))] },
		"emptied": func([]byte) []byte { return []byte{} },
		"deleted": func([]byte) []byte { return nil },
		"garbage": func(b []byte) []byte {
			for i := range b {
				b[i] = byte(random.Uint32())
			}
			return b
		},
		"another": func([]byte) []byte { return []byte(good[names[random.IntN(len(names))]]) },
		"longer":  func(b []byte) []byte { return append(b, "more"...) },
	}
	for _, way := range slices.Sorted(maps.Keys(ways)) {
		for _, name := range names {
			for range 3 {
				s := archivetest.NewBucket()
				for n, data := range good {
					s.Change(n, func([]byte) []byte { return []byte(data) })
				}
				s.Change(name, ways[way])
				damaged, before := snapshot(t, s)[name], snapshot(t, s)
				a := archive.New(config(log, s))
				if _, err := a.CatchUp(t.Context()); err != nil {
					t.Fatalf("%s %s: %v", way, name, err)
				}
				if err := a.Scrub(t.Context()); err != nil {
					t.Fatalf("%s %s: %v", way, name, err)
				}
				if h := equal(t, log, s); h.Seq != want.Seq || h.Chain != want.Chain {
					t.Fatalf("%s %s: head %+v, want %+v", way, name, h, want)
				}
				kept := way == "deleted" || damaged == good[name]
				for _, data := range snapshot(t, s) {
					kept = kept || data == damaged || strings.HasSuffix(name, ".open") && strings.HasPrefix(data, damaged)
				}
				if !kept {
					t.Fatalf("%s %s: the damaged object is gone; before %v", way, name, slices.Sorted(maps.Keys(before)))
				}
			}
		}
	}
}

// Damage that the log can not make good stays, is named, and nothing else suffers.
func TestDamageWithoutLog(t *testing.T) {
	log := memjournal.New(memjournal.Options{})
	s := archivetest.NewBucket()
	grow(t, log, 120)
	catchUp(t, log, s)
	if err := log.Purge(t.Context(), "skald.0.t.encounter.e2"); err != nil {
		t.Fatal(err)
	}
	a := archive.New(config(log, s))
	if err := a.Scrub(t.Context()); err != nil {
		t.Fatal(err)
	}
	if found, _, _ := archive.Check(t.Context(), s); len(found) > 0 {
		t.Fatalf("a purge damages nothing: %v", found)
	}
	names := slices.Sorted(maps.Keys(snapshot(t, s)))
	s.Change(names[1], func(b []byte) []byte { b[len(b)/2] ^= 4; return b })
	before := snapshot(t, s)
	if err := a.Scrub(t.Context()); err != nil {
		t.Fatal(err)
	}
	if !maps.Equal(before, snapshot(t, s)) {
		t.Error("something was changed")
	}
	if p := a.Part(); p.State != ops.Degraded || !strings.Contains(p.Text, "segment-") || figure(p, "archive_damaged_segments") != 1 {
		t.Errorf("%+v", p)
	}
	found, _, err := archive.Check(t.Context(), s)
	if err != nil || len(found) != 1 || found[0].Object != names[1] || found[0].To == 0 {
		t.Errorf("%v, %v", found, err)
	}
	if _, err := archive.Records(t.Context(), s, 1, func(journal.Record, archive.Chain) error { return nil }); !errors.Is(err, archive.ErrDamaged) || !strings.Contains(err.Error(), names[1]) {
		t.Errorf("read: %v", err)
	}
}

// A log that is not the one archived stops the archiver, and nothing is changed.
func TestDiffers(t *testing.T) {
	for name, change := range map[string]func(t *testing.T, log *memjournal.Log){
		"lost its end": func(_ *testing.T, log *memjournal.Log) { log.Truncate(100) },
		"another stream": func(t *testing.T, log *memjournal.Log) {
			log.Replace("another")
			grow(t, log, 130)
		},
		"other end": func(t *testing.T, log *memjournal.Log) {
			log.Truncate(118)
			log.Foreign("skald.0.t.encounter.e1", []byte("other"))
			grow(t, log, 20)
		},
	} {
		for _, live := range []bool{false, true} {
			if live && name == "other end" {
				continue // the journal's own tail notices that, see journal.ErrRewritten
			}
			t.Run(fmt.Sprintf("%s live %t", name, live), func(t *testing.T) {
				log, s := memjournal.New(memjournal.Options{}), archivetest.NewBucket()
				grow(t, log, 120)
				catchUp(t, log, s)
				before := snapshot(t, s)
				a := archive.New(config(log, s))
				if live {
					run(t, a)
					until(t, "begun", func() bool { return figure(a.Part(), "archive_sequence") == 120 })
				}
				change(t, log)
				if !live {
					run(t, a)
				}
				until(t, "stopped", func() bool { return a.Part().State == ops.Failed })
				if p := a.Part(); !strings.Contains(p.Text, "the log is not the one archived") && !strings.Contains(p.Text, archive.ErrDiffers.Error()) {
					t.Errorf("%+v", p)
				}
				if after := snapshot(t, s); !maps.Equal(before, after) {
					t.Errorf("the archive was changed: %v, before %v", slices.Sorted(maps.Keys(after)), slices.Sorted(maps.Keys(before)))
				}
			})
		}
	}
}

// A store that fails in every operation in turn is tried again; it shows, and ends.
func TestFailingStore(t *testing.T) {
	for _, op := range []string{"append", "sync", "put", "remove", "get"} {
		t.Run(op, func(t *testing.T) {
			log, s := memjournal.New(memjournal.Options{}), archivetest.NewBucket()
			grow(t, log, 10)
			a := archive.New(config(log, s))
			run(t, a)
			until(t, "begun", func() bool { return figure(a.Part(), "archive_sequence") == 10 })
			full := errors.New("no space left on device")
			s.Fail(func(o, name string) error {
				if o == op && !strings.HasPrefix(name, "aside") {
					return full
				}
				return nil
			})
			grow(t, log, 80)
			until(t, "degraded", func() bool {
				p := a.Part()
				return p.State == ops.Degraded && strings.Contains(p.Text, full.Error())
			})
			s.Fail(nil)
			until(t, "fine again", func() bool { p := a.Part(); return p.State == ops.Fine && figure(p, "archive_sequence") == 90 })
			equal(t, log, s)
		})
	}
}

// A copy has what the archive has, grows by what is new, and refuses another history.
func TestCopy(t *testing.T) {
	log, from, to := memjournal.New(memjournal.Options{}), archivetest.NewBucket(), archivetest.NewBucket()
	if _, err := archive.Copy(t.Context(), from, to, small); !errors.Is(err, archive.ErrEmpty) {
		t.Fatalf("of nothing: %v", err)
	}
	for range 4 {
		grow(t, log, 37)
		want := catchUp(t, log, from)
		for range 2 {
			got, err := archive.Copy(t.Context(), from, to, 2*small)
			if err != nil || got.Seq != want.Seq || got.Chain != want.Chain {
				t.Fatalf("%+v, want %+v: %v", got, want, err)
			}
			equal(t, log, to)
		}
	}
	other := memjournal.New(memjournal.Options{})
	grow(t, other, 150)
	grow(t, other, 50)
	branch := archivetest.NewBucket()
	catchUp(t, other, branch)
	before := snapshot(t, to)
	if _, err := archive.Copy(t.Context(), branch, to, small); !errors.Is(err, archive.ErrDiffers) {
		t.Errorf("another history: %v", err)
	}
	shorter := archivetest.NewBucket()
	log.Truncate(40)
	catchUp(t, log, shorter)
	if _, err := archive.Copy(t.Context(), shorter, to, small); !errors.Is(err, archive.ErrDiffers) {
		t.Errorf("a shorter one: %v", err)
	}
	if !maps.Equal(before, snapshot(t, to)) {
		t.Error("the copy was changed")
	}
}
