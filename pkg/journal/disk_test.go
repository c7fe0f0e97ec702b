//go:build linux

package journal_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/pprof"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/journal/disktest"
	"github.com/skaldrpg/skald/pkg/ops"
)

const mib = 1 << 20

// writers append to a subject each, one record after another, for as long as the
// test wants, and keep book of what was acknowledged.
type writers struct {
	j    *journal.Journal
	stop context.CancelFunc
	wg   sync.WaitGroup

	mu       sync.Mutex
	acked    map[string]uint64 // by id
	open     map[string]bool   // ids whose outcome is unknown
	refused  map[error]int     // by kind
	slowest  time.Duration     // of an append that did not succeed
	lastGood time.Time
}

// kinds of refusals that a writer may meet.
var kinds = []error{journal.ErrFull, journal.ErrStalled, journal.ErrUnwritable, journal.ErrUnavailable}

func write(t *testing.T, j *journal.Journal, n, size int) *writers {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	w := &writers{j: j, stop: stop, acked: map[string]uint64{}, open: map[string]bool{}, refused: map[error]int{}}
	for i := range n {
		w.wg.Go(func() { w.run(ctx, t, i, size) })
	}
	t.Cleanup(func() { w.end() })
	return w
}

func (w *writers) end() {
	w.stop()
	w.wg.Wait()
}

// run repeats what was refused, the very same message, as a service does.
func (w *writers) run(ctx context.Context, t *testing.T, i, size int) {
	var last uint64
	for n := 0; ctx.Err() == nil; n++ {
		m := journal.Message{Subject: fmt.Sprintf("skald.0.t.encounter.w%d", i), ID: fmt.Sprintf("w%d-%d", i, n), Data: make([]byte, size), Expected: last}
		for ctx.Err() == nil {
			began := time.Now()
			seq, err := w.j.Append(context.WithoutCancel(ctx), m)
			if w.note(t, m.ID, seq, time.Since(began), err) {
				last = seq
				time.Sleep(2 * time.Millisecond) // or the log itself fills the disk
				break
			}
			time.Sleep(20 * time.Millisecond)
		}
	}
}

func (w *writers) note(t *testing.T, id string, seq uint64, took time.Duration, err error) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err == nil {
		w.acked[id] = seq
		delete(w.open, id)
		w.lastGood = time.Now()
		return true
	}
	w.slowest = max(w.slowest, took)
	if errors.Is(err, journal.ErrUnknownOutcome) {
		w.open[id] = true
	}
	for _, k := range kinds {
		if errors.Is(err, k) {
			w.refused[k]++
			return false
		}
	}
	t.Errorf("%s: %v", id, err)
	return false
}

func (w *writers) met(kind error) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.refused[kind]
}

func (w *writers) goodSince(at time.Time) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.lastGood.After(at)
}

// eventually waits for something and says how long that took.
func eventually(t *testing.T, what string, limit time.Duration, ok func() bool) time.Duration {
	t.Helper()
	began := time.Now()
	for !ok() {
		if time.Since(began) > limit {
			if cycles(0) > 0 {
				pprof.Lookup("goroutine").WriteTo(os.Stderr, 1) //nolint:errcheck // by hand
			}
			t.Fatalf("not within %s: %s", limit, what)
		}
		time.Sleep(2 * time.Millisecond)
	}
	return time.Since(began)
}

// follower keeps what a tail hands over.
type tailed struct {
	mu   sync.Mutex
	ids  []string
	seqs []uint64
}

func tail(t *testing.T, j *journal.Journal) *tailed {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	got, done := &tailed{}, make(chan error, 1)
	go func() {
		done <- j.Tail(ctx, journal.TailConfig{}, func(_ context.Context, b journal.Batch) error {
			got.mu.Lock()
			defer got.mu.Unlock()
			for _, r := range b.Records {
				got.ids, got.seqs = append(got.ids, r.ID), append(got.seqs, r.Seq)
			}
			return nil
		})
	}()
	t.Cleanup(func() {
		stop()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Errorf("the tail ended: %v", err)
		}
	})
	return got
}

func (g *tailed) len() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.seqs)
}

// whole compares the log, the tail and what was acknowledged.
func whole(t *testing.T, j *journal.Journal, w *writers, got *tailed) {
	t.Helper()
	stored := map[string]uint64{}
	n := uint64(0)
	if err := j.Read(t.Context(), "", 1, 0, func(r journal.Record) error {
		if n++; r.Seq != n {
			return fmt.Errorf("sequence %d after %d", r.Seq, n-1)
		}
		if at, ok := stored[r.ID]; ok {
			return fmt.Errorf("%s is stored at %d and at %d", r.ID, at, r.Seq)
		}
		stored[r.ID] = r.Seq
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	for id, seq := range w.acked {
		if stored[id] != seq {
			t.Errorf("%s was acknowledged at %d and stands at %d", id, seq, stored[id])
		}
	}
	for id := range stored {
		if _, ok := w.acked[id]; !ok && !w.open[id] {
			t.Errorf("%s is stored and was refused for good", id)
		}
	}
	eventually(t, "the tail catches up", 10*time.Second, func() bool { return got.len() >= len(stored) })
	got.mu.Lock()
	defer got.mu.Unlock()
	for i, seq := range got.seqs {
		if seq != uint64(i)+1 || stored[got.ids[i]] != seq {
			t.Fatalf("the tail handed over %s at %d as number %d", got.ids[i], seq, i+1)
		}
	}
}

// cycles is how often disks are filled, or stalled: many times by hand.
func cycles(def int) int {
	if n, err := strconv.Atoi(os.Getenv("SKALD_DISK_RUNS")); err == nil {
		return n
	}
	return def
}

// onDisk starts a server on a disk of its own, behind its gate.
func onDisk(t *testing.T, d *disktest.Disk, cfg journal.EmbeddedConfig) (*journal.Embedded, *journal.Journal) {
	t.Helper()
	if os.Getenv("SKALD_RACE") == "1" {
		t.Skip("fills disks")
	}
	cfg.StoreDir = filepath.Join(d.Dir, "journal")
	e, nc := start(t, cfg)
	t.Cleanup(d.Thaw) // before the server is stopped
	c := config()
	c.Gate = e
	return e, open(t, nc, c)
}

func figure(t *testing.T, e *journal.Embedded, name string) float64 {
	t.Helper()
	for _, f := range e.Part().Figures {
		if f.Name == name {
			return f.Value
		}
	}
	t.Fatalf("no figure %s", name)
	return 0
}

// A full disk: appends are refused before the server meets it, and go on by
// themselves when there is room.
func TestFullDisk(t *testing.T) {
	d := disktest.Memory(t, int64(122+2*cycles(3))*mib)
	e, j := onDisk(t, d, journal.EmbeddedConfig{DiskReserve: 8 * mib, DiskLow: 4 * mib})
	w, got := write(t, j, 4, 2000), tail(t, j)
	var full, again time.Duration
	runs := cycles(3)
	for range runs {
		eventually(t, "appends", 10*time.Second, func() bool { return w.goodSince(time.Now().Add(-100 * time.Millisecond)) })
		before, restarts := w.met(journal.ErrFull), figure(t, e, "journal_restarts_total")
		d.Fill(2 * mib) // below the mark, not yet nothing
		full = max(full, eventually(t, fmt.Sprintf("full, now %+v, %d free", e.Part(), d.Free()), 3*time.Second, func() bool { return w.met(journal.ErrFull) > before }))
		if p := e.Part(); p.State != ops.Degraded {
			t.Errorf("%+v", p)
		}
		readable(t, j)
		if n := figure(t, e, "journal_restarts_total"); n != restarts {
			t.Errorf("the server met the full disk %v times", n-restarts)
		}
		d.Fill(0) // in one go: the server's own housekeeping may meet it
		eventually(t, "the reserve is given up", 2*time.Second, func() bool { return figure(t, e, "disk_reserve_bytes") == 0 })
		readable(t, j)
		freed := time.Now()
		d.Empty()
		again = max(again, eventually(t, "appends after room", 5*time.Second, func() bool { return w.goodSince(freed) }))
	}
	w.end()
	if p := e.Part(); p.State != ops.Fine || figure(t, e, "disk_reserve_bytes") != 8*mib {
		t.Errorf("at the end %+v", p)
	}
	if w.slowest > 2*time.Second {
		t.Errorf("an append was refused after %s", w.slowest)
	}
	whole(t, j, w, got)
	t.Logf("%d cycles, %d acknowledged, refusals %v, %d open; full after %s at most, again after %s; slowest refusal %s",
		runs, len(w.acked), w.refused, len(w.open), full, again, w.slowest)
}

// readable: at once, or after the moment that replacing a server takes.
func readable(t *testing.T, j *journal.Journal) {
	t.Helper()
	var err error
	eventually(t, fmt.Sprint("reading: ", err), 3*time.Second, func() bool {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err = j.Info(ctx); err != nil {
			return false
		}
		ok := false
		_, ok, err = j.At(ctx, 1)
		return ok
	})
}

// Nobody warns the server: it meets the full disk, and never writes again. It is
// replaced, and nobody loses anything.
func TestServerThatMetAFullDisk(t *testing.T) {
	d := disktest.Memory(t, int64(64+10*cycles(3))*mib)
	e, j := onDisk(t, d, journal.EmbeddedConfig{DiskReserve: -1, DiskLow: 1})
	w, got := write(t, j, 4, 20_000), tail(t, j)
	var again time.Duration
	runs := cycles(3)
	for n := range runs {
		eventually(t, "appends", 20*time.Second, func() bool { return w.goodSince(time.Now().Add(-100 * time.Millisecond)) })
		d.Fill(200_000)
		eventually(t, "full", 10*time.Second, func() bool {
			d.Fill(4096)
			return !w.goodSince(time.Now().Add(-300 * time.Millisecond))
		})
		freed := time.Now()
		d.Empty()
		again = max(again, eventually(t, fmt.Sprintf("appends after room, cycle %d: %+v", n, e.Part()), 20*time.Second, func() bool { return w.goodSince(freed) }))
	}
	w.end()
	if n := figure(t, e, "journal_restarts_total"); n < 1 {
		t.Error("the server never met the full disk: this test shows nothing")
	}
	whole(t, j, w, got)
	t.Logf("%d cycles, %.0f restarts, %d acknowledged, refusals %v, %d open; again after %s at most; slowest refusal %s",
		runs, figure(t, e, "journal_restarts_total"), len(w.acked), w.refused, len(w.open), again, w.slowest)
}

// A disk that does not answer: appends are refused within a second or so, and go
// on where they were.
func TestStalledDisk(t *testing.T) {
	d := disktest.Block(t, 64*mib)
	e, j := onDisk(t, d, journal.EmbeddedConfig{})
	w, got := write(t, j, 4, 500), tail(t, j)
	var stalled, again time.Duration
	runs := cycles(2)
	for range runs {
		eventually(t, "appends", 10*time.Second, func() bool { return w.goodSince(time.Now().Add(-100 * time.Millisecond)) })
		before := w.met(journal.ErrStalled)
		d.Freeze()
		stalled = max(stalled, eventually(t, "stalled", 3*time.Second, func() bool { return w.met(journal.ErrStalled) > before }))
		began := time.Now()
		if _, err := j.Append(t.Context(), journal.Message{Subject: "skald.0.t.encounter.x", ID: "x"}); !errors.Is(err, journal.ErrStalled) || errors.Is(err, journal.ErrUnknownOutcome) || time.Since(began) > 2*time.Second {
			t.Errorf("%v after %s", err, time.Since(began))
		}
		began = time.Now()
		if _, err := j.Info(t.Context()); err != nil && !errors.Is(err, journal.ErrStalled) || time.Since(began) > 3*time.Second {
			t.Errorf("reading: %v after %s", err, time.Since(began))
		}
		if p := e.Part(); p.State != ops.Degraded {
			t.Errorf("%+v", p)
		}
		thawed := time.Now()
		d.Thaw()
		again = max(again, eventually(t, "appends after the stall", 5*time.Second, func() bool { return w.goodSince(thawed) }))
	}
	w.end()
	if w.slowest > 3*time.Second {
		t.Errorf("an append was refused after %s", w.slowest)
	}
	whole(t, j, w, got)
	t.Logf("%d cycles, %d acknowledged, refusals %v, %d open; stalled after %s at most, again after %s; slowest refusal %s",
		runs, len(w.acked), w.refused, len(w.open), stalled, again, w.slowest)
}

// A suite that starts on a full disk: it lives on its reserve, and without one
// it says what is the matter.
func TestStartOnAFullDisk(t *testing.T) {
	d := disktest.Memory(t, 64*mib)
	if os.Getenv("SKALD_RACE") == "1" {
		t.Skip("fills disks")
	}
	cfg := journal.EmbeddedConfig{StoreDir: filepath.Join(d.Dir, "journal")}
	first, err := journal.StartEmbedded(t.Context(), cfg, quiet)
	if err != nil {
		t.Fatal(err)
	}
	nc, err := first.Connect("test")
	if err != nil {
		t.Fatal(err)
	}
	appendN(t, open(t, nc, config()), "skald.0.t.encounter.e", 0, 5)
	if err := first.Stop(); err != nil {
		t.Fatal(err)
	}
	d.Fill(0)
	e, err := journal.StartEmbedded(t.Context(), cfg, quiet)
	if err != nil {
		t.Fatalf("with a reserve: %v", err)
	}
	if nc, err = e.Connect("test"); err != nil {
		t.Fatal(err)
	}
	c := config()
	c.Gate = e
	j := open(t, nc, c)
	readable(t, j)
	m := journal.Message{Subject: "skald.0.t.encounter.e", ID: "more", Expected: 5}
	if _, err := j.Append(t.Context(), m); !errors.Is(err, journal.ErrFull) {
		t.Errorf("on a full disk: %v", err)
	}
	if err := e.Stop(); err != nil {
		t.Fatal(err)
	}
	d.Fill(0) // what the reserve gave
	began := time.Now()
	e, err = journal.StartEmbedded(t.Context(), cfg, quiet)
	if err != nil && (!errors.Is(err, journal.ErrFull) || time.Since(began) > 15*time.Second) {
		t.Fatalf("without a reserve: %v after %s", err, time.Since(began))
	}
	t.Logf("with nothing left: %v", err)
	d.Empty()
	if err != nil {
		if e, err = journal.StartEmbedded(t.Context(), cfg, quiet); err != nil {
			t.Fatal(err)
		}
	}
	defer func() {
		if err := e.Stop(); err != nil {
			t.Error(err)
		}
	}()
	if nc, err = e.Connect("test"); err != nil {
		t.Fatal(err)
	}
	c.Gate = e
	j = open(t, nc, c)
	eventually(t, "an append after room", 5*time.Second, func() bool {
		_, err := j.Append(t.Context(), m)
		return err == nil
	})
	if info, err := j.Info(t.Context()); err != nil || info.Messages != 6 {
		t.Errorf("%+v, %v", info, err)
	}
}

// The port stays the same when the server is replaced.
func TestPortOfTheNextServer(t *testing.T) {
	d := disktest.Memory(t, 32*mib)
	e, j := onDisk(t, d, journal.EmbeddedConfig{DiskReserve: -1, DiskLow: 1, Port: -1})
	before := e.URL()
	outside, err := journal.Connect(t.Context(), before, journal.ConnectOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer outside.Close()
	d.Fill(10_000)
	if _, err := j.Append(t.Context(), journal.Message{Subject: "skald.0.t.encounter.x", ID: "x", Data: make([]byte, 100_000)}); !errors.Is(err, journal.ErrFull) {
		t.Fatalf("on a full disk: %v", err)
	}
	d.Empty()
	eventually(t, "another server", 10*time.Second, func() bool { return figure(t, e, "journal_restarts_total") >= 1 })
	if after := e.URL(); after != before {
		t.Errorf("%s, was %s", after, before)
	}
	eventually(t, "reconnected", 10*time.Second, outside.IsConnected)
	if _, err := open(t, outside, config()).Append(t.Context(), journal.Message{Subject: "skald.0.t.encounter.x", ID: "y"}); err != nil {
		t.Error(err)
	}
}

// shut is a gate whose leaves the test moves.
type shut struct {
	appending, reading atomic.Pointer[context.Context]
}

func (g *shut) Appending() context.Context { return *g.appending.Load() }
func (g *shut) Reading() context.Context   { return *g.reading.Load() }

// What was sent when the gate closes has an open outcome, and that is said; what
// was not sent has none.
func TestGate(t *testing.T) {
	_, nc := start(t, journal.EmbeddedConfig{})
	openLeaf, closing := context.WithCancelCause(t.Context())
	background := t.Context()
	g := &shut{}
	g.appending.Store(&openLeaf)
	g.reading.Store(&background)
	cfg := config()
	cfg.Gate = g
	cfg.Wrap = func(b journal.Backend) journal.Backend { return silent{b} }
	j := open(t, nc, cfg)
	reason := fmt.Errorf("%w: of the test", journal.ErrFull)
	time.AfterFunc(50*time.Millisecond, func() { closing(reason) })
	began := time.Now()
	_, err := j.Append(t.Context(), journal.Message{Subject: "skald.0.t.encounter.x", ID: "x"})
	if !errors.Is(err, reason) || !errors.Is(err, journal.ErrUnknownOutcome) || time.Since(began) > 3*time.Second {
		t.Errorf("in flight: %v after %s", err, time.Since(began))
	}
	if _, err = j.Append(t.Context(), journal.Message{Subject: "skald.0.t.encounter.x", ID: "x"}); !errors.Is(err, reason) || errors.Is(err, journal.ErrUnknownOutcome) {
		t.Errorf("at the gate: %v", err)
	}
}

// silent never acknowledges.
type silent struct{ journal.Backend }

func (silent) Publish(ctx context.Context, _ []journal.Message) (uint64, error) {
	<-ctx.Done()
	return 0, ctx.Err()
}

// A store that never answers does not hold an append for longer than its bound,
// and it is not the caller's deadline that passed.
func TestAppendIsBounded(t *testing.T) {
	_, nc := start(t, journal.EmbeddedConfig{})
	cfg := config()
	cfg.AppendWait = 300 * time.Millisecond
	cfg.Wrap = func(b journal.Backend) journal.Backend { return silent{b} }
	j := open(t, nc, cfg)
	began := time.Now()
	_, err := j.Append(t.Context(), journal.Message{Subject: "skald.0.t.encounter.x", ID: "x"})
	if !errors.Is(err, journal.ErrUnknownOutcome) || !errors.Is(err, journal.ErrUnavailable) || errors.Is(err, context.DeadlineExceeded) || time.Since(began) > 3*time.Second {
		t.Errorf("%v after %s", err, time.Since(began))
	}
}
