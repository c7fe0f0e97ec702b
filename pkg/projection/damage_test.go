package projection_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/journal/memjournal"
	"github.com/skaldrpg/skald/pkg/projection"
)

func soon(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	t.Cleanup(cancel)
	return ctx
}

func config(t *testing.T, log journal.Log) projection.Config {
	return projection.Config{Path: filepath.Join(t.TempDir(), "p.db"), Schema: "1", Log: log, Fold: counting{}}
}

// asides lists the files that were moved aside.
func asides(t *testing.T, cfg projection.Config) []string {
	t.Helper()
	found, err := filepath.Glob(cfg.Path + ".*aside*")
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// However a file is spoilt, opening it neither ends the process nor loses the
// spoilt file, and gives the content that the log gives.
func TestSpoiltFilesAreBuiltAgain(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(file []byte) []byte
		why   string
	}{
		"truncated to its meta pages": {func(f []byte) []byte { return f[:2*os.Getpagesize()] }, "damaged"},
		"truncated within a page":     {func(f []byte) []byte { return f[:3*os.Getpagesize()+17] }, "damaged"},
		"one byte":                    {func([]byte) []byte { return []byte{1} }, "damaged"},
		"meta pages zeroed":           {func(f []byte) []byte { clear(f[:2*os.Getpagesize()]); return f }, "damaged"},
		"other pages zeroed":          {func(f []byte) []byte { clear(f[2*os.Getpagesize():]); return f }, "damaged"},
		"other pages filled with ff": {func(f []byte) []byte {
			copy(f[2*os.Getpagesize():], bytes.Repeat([]byte{0xff}, len(f)))
			return f
		}, "damaged"},
		"emptied": {func([]byte) []byte { return nil }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			log := memjournal.New(memjournal.Options{})
			cfg := config(t, log)
			fill(t, log, 300)
			p, stop := start(t, cfg)
			want := hash(t, p)
			stop()
			file, err := os.ReadFile(cfg.Path)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(cfg.Path, c.spoil(file), 0o600); err != nil {
				t.Fatal(err)
			}
			p, stop = start(t, cfg)
			if !bytes.Equal(hash(t, p), want) {
				t.Error("content differs")
			}
			st := p.Status()
			if c.why == "" != (st.MovedAside == "") || !strings.Contains(st.Why, c.why) || c.why == "" != (len(asides(t, cfg)) == 0) {
				t.Errorf("status %+v, aside %v", st, asides(t, cfg))
			}
			stop()
			if p, _ = start(t, cfg); p.Status().MovedAside != "" { // and stays
				t.Errorf("again: %+v", p.Status())
			}
		})
	}
}

func TestDeletedFileIsBuiltAgain(t *testing.T) {
	log := memjournal.New(memjournal.Options{})
	cfg := config(t, log)
	fill(t, log, 20)
	p, stop := start(t, cfg)
	want := hash(t, p)
	stop()
	if err := os.Remove(cfg.Path); err != nil {
		t.Fatal(err)
	}
	if p, _ = start(t, cfg); !bytes.Equal(hash(t, p), want) {
		t.Error("content differs")
	}
}

// Two files moved aside in the same moment are both kept.
func TestAsideFilesAreKeptApart(t *testing.T) {
	log := memjournal.New(memjournal.Options{})
	cfg := config(t, log)
	cfg.Clock = func() time.Time { return time.Unix(0, 0) }
	for _, schema := range []string{"1", "2", "3", "4"} {
		cfg.Schema = schema
		_, stop := start(t, cfg)
		stop()
	}
	if n := len(asides(t, cfg)); n != 3 {
		t.Errorf("%d files aside, want 3", n)
	}
}

// A person must see to these; nothing is moved or built.
func TestOpenLeavesWhatIsNotDamage(t *testing.T) {
	log := memjournal.New(memjournal.Options{})
	cfg := config(t, log)
	if err := os.Mkdir(cfg.Path, 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := projection.Open(context.Background(), cfg); err == nil || errors.Is(err, projection.ErrDamaged) {
		t.Errorf("opened a folder: %v", err)
	}
	if n := len(asides(t, cfg)); n != 0 {
		t.Errorf("%d files aside", n)
	}
}

// A stream made again under the same name: the old content goes aside if the new
// stream has overtaken it, and is left alone, loudly, if not (I3, I4).
func TestRecreatedStream(t *testing.T) {
	for name, c := range map[string]struct {
		records int
		ahead   bool
	}{"shorter": {4, true}, "longer": {6, false}} {
		t.Run(name, func(t *testing.T) {
			log := memjournal.New(memjournal.Options{})
			cfg := config(t, log)
			fill(t, log, 5)
			p, err := projection.Open(context.Background(), cfg)
			if err != nil {
				t.Fatal(err)
			}
			ran := make(chan error, 1)
			go func() { ran <- p.Run(soon(t)) }()
			if err := p.WaitCaughtUp(soon(t)); err != nil {
				t.Fatal(err)
			}
			log.Replace("another")
			if err := <-ran; !errors.Is(err, journal.ErrStreamReplaced) { // while it ran
				t.Fatalf("run: %v", err)
			}
			if err := p.Close(); err != nil {
				t.Fatal(err)
			}
			fill(t, log, c.records)
			if c.ahead {
				if _, err := projection.Open(context.Background(), cfg); !errors.Is(err, projection.ErrAhead) {
					t.Fatalf("open: %v", err)
				}
				return
			}
			p, _ = start(t, cfg)
			if st := p.Status(); st.MovedAside == "" || st.Applied != 6 {
				t.Errorf("status %+v", st)
			}
		})
	}
}

// The same stream with another history at the checkpoint, and a stream that loses
// its end while it is followed: both stop, touch nothing, and are not built over
// by Rebuild either (I3).
func TestContradictionIsNeverBuiltOver(t *testing.T) {
	for name, c := range map[string]struct {
		keep, grow int
		want       error
	}{"diverged": {3, 5, projection.ErrDiverged}, "ahead": {3, 0, projection.ErrAhead}} {
		t.Run(name, func(t *testing.T) {
			log := memjournal.New(memjournal.Options{})
			cfg := config(t, log)
			fill(t, log, 5)
			_, stop := start(t, cfg)
			stop()
			log.Truncate(uint64(c.keep))
			fill(t, log, c.grow)
			before, err := os.ReadFile(cfg.Path)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := projection.Open(context.Background(), cfg); !errors.Is(err, c.want) {
				t.Errorf("open: %v", err)
			}
			if err := projection.Rebuild(context.Background(), cfg, nil); !errors.Is(err, c.want) {
				t.Errorf("rebuild: %v", err)
			}
			after, err := os.ReadFile(cfg.Path)
			if err != nil || !bytes.Equal(before, after) || len(asides(t, cfg)) != 0 {
				t.Error("the only surviving copy was touched")
			}
		})
	}
	t.Run("while running", func(t *testing.T) {
		log := memjournal.New(memjournal.Options{})
		fill(t, log, 5)
		p, err := projection.Open(context.Background(), config(t, log))
		if err != nil {
			t.Fatal(err)
		}
		defer p.Close() //nolint:errcheck // test
		ran := make(chan error, 1)
		go func() { ran <- p.Run(soon(t)) }()
		if err := p.WaitCaughtUp(soon(t)); err != nil {
			t.Fatal(err)
		}
		log.Truncate(2)
		if err := <-ran; !errors.Is(err, projection.ErrAhead) {
			t.Errorf("run: %v", err)
		}
	})
}

// A record purged at the checkpoint can not be compared, and is no contradiction.
func TestPurgedCheckpoint(t *testing.T) {
	log := memjournal.New(memjournal.Options{})
	cfg := config(t, log)
	fill(t, log, 5)
	_, stop := start(t, cfg)
	stop()
	if err := log.Purge(context.Background(), "skald.0.main.encounter.e1"); err != nil { // 2 and 5
		t.Fatal(err)
	}
	fill(t, log, 3)
	p, _ := start(t, cfg)
	if st := p.Status(); st.Applied != 8 || st.MovedAside != "" {
		t.Errorf("status %+v", st)
	}
}

func TestWaitingEndsWithRun(t *testing.T) {
	log := memjournal.New(memjournal.Options{})
	fill(t, log, 3)
	p, err := projection.Open(context.Background(), config(t, log))
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close() //nolint:errcheck // test
	waited := make(chan error, 1)
	go func() { waited <- p.WaitFor(soon(t), 9) }()
	go p.Run(soon(t)) //nolint:errcheck // its error is in the status
	if err := p.WaitCaughtUp(soon(t)); err != nil {
		t.Fatal(err)
	}
	log.Truncate(1)
	if err := <-waited; !errors.Is(err, projection.ErrStopped) || errors.Is(err, context.Canceled) {
		t.Errorf("waiting: %v", err)
	}
	if st := p.Status(); !errors.Is(st.Err, projection.ErrAhead) {
		t.Errorf("status %+v", st)
	}
}

// repeating delivers every batch twice.
type repeating struct{ journal.Log }

func (r repeating) Tail(ctx context.Context, cfg journal.TailConfig, h journal.Handler) error {
	return r.Log.Tail(ctx, cfg, func(ctx context.Context, b journal.Batch) error {
		if err := h(ctx, b); err != nil {
			return err
		}
		return h(ctx, b)
	})
}

func TestRepeatedDeliveryIsAppliedOnce(t *testing.T) {
	log := memjournal.New(memjournal.Options{})
	fill(t, log, 7)
	once, _ := start(t, config(t, log))
	twice, _ := start(t, config(t, repeating{log}))
	if !bytes.Equal(hash(t, once), hash(t, twice)) {
		t.Error("content differs")
	}
}

// Whatever the batches and wherever it was stopped, the content is the log's (I2).
func TestContentDependsOnTheLogAlone(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		log := memjournal.New(memjournal.Options{})
		cfg := config(t, log)
		for range rapid.IntRange(1, 4).Draw(rt, "runs") {
			cfg.MaxBatch = rapid.IntRange(1, 9).Draw(rt, "batch")
			fill(t, log, rapid.IntRange(0, 12).Draw(rt, "before"))
			_, stop := start(t, cfg)
			fill(t, log, rapid.IntRange(0, 12).Draw(rt, "during"))
			stop()
		}
		live, stopLive := start(t, cfg)
		defer stopLive()
		again := cfg
		again.Path, again.MaxBatch = filepath.Join(filepath.Dir(cfg.Path), "again.db"), rapid.IntRange(1, 9).Draw(rt, "rebuild batch")
		if err := projection.Rebuild(context.Background(), again, nil); err != nil {
			rt.Fatal(err)
		}
		rebuilt, stopRebuilt := start(t, again)
		defer stopRebuilt()
		if !bytes.Equal(hash(t, live), hash(t, rebuilt)) {
			rt.Fatal("rebuilt content differs from live content")
		}
	})
}

func TestRebuildKeepsAnUnusableFile(t *testing.T) {
	log := memjournal.New(memjournal.Options{})
	cfg := config(t, log)
	fill(t, log, 5)
	if err := os.WriteFile(cfg.Path, []byte("rubbish"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := projection.Rebuild(context.Background(), cfg, nil); err != nil {
		t.Fatal(err)
	}
	if n := len(asides(t, cfg)); n != 1 {
		t.Errorf("%d files aside, want 1", n)
	}
	if p, _ := start(t, cfg); p.Status().Applied != 5 {
		t.Errorf("status %+v", p.Status())
	}
}
