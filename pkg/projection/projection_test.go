package projection_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/journal/memjournal"
	"github.com/skaldrpg/skald/pkg/projection"
)

// counting counts records by subject and keeps each record: order and
// repetition both show in its content.
type counting struct{ fail uint64 }

func (counting) Buckets() []projection.Bucket { return []projection.Bucket{"counts", "records"} }

func (c counting) Apply(tx *projection.Tx, rec journal.Record) error {
	if rec.Seq == c.fail {
		return errors.New("cannot")
	}
	key := projection.Key(rec.Subject)
	var n uint64
	if old := tx.Get("counts", key); old != nil {
		n = binary.BigEndian.Uint64(old)
	}
	if err := tx.Put("counts", key, binary.BigEndian.AppendUint64(nil, n+1)); err != nil {
		return err
	}
	return tx.Put("records", projection.Key(rec.Subject, n+1), rec.Data)
}

func fill(t testing.TB, log journal.Log, n int) {
	t.Helper()
	for i := range n {
		subject := fmt.Sprintf("skald.0.main.encounter.e%d", i%3)
		last, _, err := log.Last(context.Background(), subject)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := log.Append(context.Background(), journal.Message{Subject: subject, ID: fmt.Sprintf("%d-%d", time.Now().UnixNano(), i),
			Data: []byte(fmt.Sprint("data ", i)), Expected: last.Seq}); err != nil {
			t.Fatal(err)
		}
	}
}

// start opens and runs a projection until the test ends or stop is called.
func start(t *testing.T, cfg projection.Config) (p *projection.Projection, stop func()) {
	t.Helper()
	p, err := projection.Open(context.Background(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); p.Run(ctx) }() //nolint:errcheck // ends with ctx
	stopped := false
	stop = func() {
		if !stopped {
			stopped = true
			cancel()
			<-done
			if err := p.Close(); err != nil {
				t.Error(err)
			}
		}
	}
	t.Cleanup(stop)
	wait, cancelWait := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancelWait()
	if err := p.WaitCaughtUp(wait); err != nil {
		t.Fatal(err)
	}
	return p, stop
}

func hash(t *testing.T, p *projection.Projection) []byte {
	t.Helper()
	h, err := p.ContentHash()
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func TestRestartAppliesEachRecordOnce(t *testing.T) {
	log := memjournal.New(memjournal.Options{})
	cfg := projection.Config{Path: filepath.Join(t.TempDir(), "p.db"), Schema: "1", Log: log, Fold: counting{}}
	fill(t, log, 10)
	_, stop := start(t, cfg)
	fill(t, log, 10)
	stop()
	fill(t, log, 10)
	p, _ := start(t, cfg)
	var sum uint64
	if err := p.View(func(tx *projection.Tx) error {
		return tx.Scan("counts", nil, nil, func(_, v []byte) (bool, error) {
			sum += binary.BigEndian.Uint64(v)
			return true, nil
		})
	}); err != nil {
		t.Fatal(err)
	}
	if sum != 30 {
		t.Errorf("applied %d records, want 30", sum)
	}
}

// I2
func TestRebuildEqualsLive(t *testing.T) {
	log := memjournal.New(memjournal.Options{})
	dir := t.TempDir()
	live := projection.Config{Path: filepath.Join(dir, "live.db"), Schema: "1", Log: log, Fold: counting{}, MaxBatch: 3}
	fill(t, log, 50)
	p, _ := start(t, live)
	again := live
	again.Path, again.MaxBatch = filepath.Join(dir, "again.db"), 7
	var told uint64
	if err := projection.Rebuild(context.Background(), again, func(done, total uint64) { told = done }); err != nil {
		t.Fatal(err)
	}
	q, _ := start(t, again)
	if !bytes.Equal(hash(t, p), hash(t, q)) {
		t.Error("rebuilt content differs from live content")
	}
	if told != 50 {
		t.Errorf("progress told %d of 50", told)
	}
}

func TestFileAheadOfTheLogStops(t *testing.T) {
	log := memjournal.New(memjournal.Options{})
	cfg := projection.Config{Path: filepath.Join(t.TempDir(), "p.db"), Schema: "1", Log: log, Fold: counting{}}
	fill(t, log, 5)
	_, stop := start(t, cfg)
	stop()
	cfg.Log = memjournal.New(memjournal.Options{}) // shorter
	before, err := os.ReadFile(cfg.Path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := projection.Open(context.Background(), cfg); !errors.Is(err, projection.ErrAhead) {
		t.Fatalf("got %v", err)
	}
	after, err := os.ReadFile(cfg.Path)
	if err != nil || !bytes.Equal(before, after) {
		t.Error("the only surviving copy was touched")
	}
}

func TestUnusableFilesAreMovedAside(t *testing.T) {
	for name, spoil := range map[string]func(t *testing.T, cfg *projection.Config){
		"damaged": func(t *testing.T, cfg *projection.Config) {
			if err := os.WriteFile(cfg.Path, bytes.Repeat([]byte("rubbish"), 4096), 0o600); err != nil {
				t.Fatal(err)
			}
		},
		"schema": func(_ *testing.T, cfg *projection.Config) { cfg.Schema = "2" },
	} {
		t.Run(name, func(t *testing.T) {
			log := memjournal.New(memjournal.Options{})
			cfg := projection.Config{Path: filepath.Join(t.TempDir(), "p.db"), Schema: "1", Log: log, Fold: counting{}}
			fill(t, log, 5)
			p, stop := start(t, cfg)
			want := hash(t, p)
			stop()
			spoil(t, &cfg)
			p, _ = start(t, cfg)
			if !bytes.Equal(want, hash(t, p)) {
				t.Error("the projection was not built again")
			}
			st := p.Status()
			if st.MovedAside == "" || st.Why == "" {
				t.Errorf("status says nothing: %+v", st)
			}
			if _, err := os.Stat(st.MovedAside); err != nil {
				t.Error(err)
			}
		})
	}
}

// I5: record 4 (of e0) can not be folded. Nothing of it stays, what follows it on
// its subject is not folded, everything else is, and a rebuild does the same.
func TestBrokenRecordClosesItsSubjectAlone(t *testing.T) {
	log := memjournal.New(memjournal.Options{})
	cfg := projection.Config{Path: filepath.Join(t.TempDir(), "p.db"), Schema: "1", Log: log, Fold: counting{fail: 4}}
	fill(t, log, 9)
	p, stop := start(t, cfg)
	check := func(p *projection.Projection) {
		t.Helper()
		for subject, want := range map[string]uint64{"e0": 1, "e1": 3, "e2": 3} {
			if n := counted(t, p, "skald.0.main.encounter."+subject); n != want {
				t.Errorf("%s: %d records folded, want %d", subject, n, want)
			}
		}
		c, ok := p.Closed("skald.0.main.encounter.e0")
		if !ok || c.Sequence != 4 || c.Why != "cannot" || len(p.AllClosed()) != 1 || p.Status().Closed != 1 {
			t.Errorf("closed: %+v, status %+v", p.AllClosed(), p.Status())
		}
	}
	check(p)
	want := hash(t, p)
	stop()
	p, stop = start(t, cfg) // it stays closed
	check(p)
	stop()
	again := cfg
	again.Path, again.MaxBatch = cfg.Path+"2", 2
	if err := projection.Rebuild(context.Background(), again, nil); err != nil {
		t.Fatal(err)
	}
	p, _ = start(t, again)
	check(p)
	if !bytes.Equal(hash(t, p), want) {
		t.Error("a rebuild differs")
	}
}

func counted(t *testing.T, p *projection.Projection, subject string) (n uint64) {
	t.Helper()
	if err := p.View(func(tx *projection.Tx) error {
		if v := tx.Get("counts", projection.Key(subject)); v != nil {
			n = binary.BigEndian.Uint64(v)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return n
}

func TestSecondOpenIsLocked(t *testing.T) {
	log := memjournal.New(memjournal.Options{})
	cfg := projection.Config{Path: filepath.Join(t.TempDir(), "p.db"), Schema: "1", Log: log, Fold: counting{}}
	start(t, cfg)
	if _, err := projection.Open(context.Background(), cfg); !errors.Is(err, projection.ErrLocked) {
		t.Errorf("open: %v", err)
	}
	if err := projection.Rebuild(context.Background(), cfg, nil); !errors.Is(err, projection.ErrLocked) {
		t.Errorf("rebuild: %v", err)
	}
}

func TestWaitForHonoursItsContext(t *testing.T) {
	log := memjournal.New(memjournal.Options{})
	p, _ := start(t, projection.Config{Path: filepath.Join(t.TempDir(), "p.db"), Schema: "1", Log: log, Fold: counting{}})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := p.WaitFor(ctx, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	fill(t, log, 1)
	ctx, cancel = context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	if err := p.WaitFor(ctx, 1); err != nil {
		t.Error(err)
	}
}
