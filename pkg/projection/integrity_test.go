package projection_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	bolt "go.etcd.io/bbolt"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/journal/memjournal"
	"github.com/skaldrpg/skald/pkg/projection"
)

// Whatever single bit of a closed file is flipped, what is served afterwards is
// what the log says: the file is built again, or the bit belongs to nothing.
func TestFlippedBitsAreNeverServed(t *testing.T) {
	if os.Getenv("SKALD_RACE") != "" {
		t.Skip("bbolt races with itself when a broken file makes it panic while it is opened")
	}
	log := memjournal.New(memjournal.Options{})
	cfg := config(t, log)
	cfg.Fold = counting{fail: 7}
	fill(t, log, 200)
	p, stop := start(t, cfg)
	want := hash(t, p)
	stop()
	file, err := os.ReadFile(cfg.Path)
	if err != nil {
		t.Fatal(err)
	}
	rng, again := rand.New(rand.NewPCG(1, 2)), 0
	for range 40 {
		spoilt := bytes.Clone(file)
		at := rng.IntN(len(bytes.TrimRight(file, "\x00")) * 8)
		spoilt[at/8] ^= 1 << (at % 8)
		if err := os.WriteFile(cfg.Path, spoilt, 0o600); err != nil {
			t.Fatal(err)
		}
		p, stop := start(t, cfg)
		if !bytes.Equal(hash(t, p), want) {
			t.Errorf("bit %d: other content is served", at)
		}
		if p.Status().MovedAside != "" {
			again++
		}
		stop()
	}
	if again < 10 {
		t.Errorf("only %d of 40 flips were noticed", again)
	}
}

// Entries that are gone or doubled leave every checksum whole: the tallies tell.
func TestLostAndForeignEntriesAreNoticed(t *testing.T) {
	for name, c := range map[string]func(b, other *bolt.Bucket) error{
		"lost": func(b, _ *bolt.Bucket) error { k, _ := b.Cursor().First(); return b.Delete(bytes.Clone(k)) },
		"older value": func(b, _ *bolt.Bucket) error {
			k, v := b.Cursor().First()
			_, w := b.Cursor().Last()
			return b.Put(bytes.Clone(k), append(bytes.Clone(v[:0]), w...))
		},
		"from another bucket": func(b, other *bolt.Bucket) error {
			k, v := other.Cursor().First()
			return b.Put(bytes.Clone(k), bytes.Clone(v))
		},
	} {
		t.Run(name, func(t *testing.T) {
			log := memjournal.New(memjournal.Options{})
			cfg := config(t, log)
			fill(t, log, 20)
			p, stop := start(t, cfg)
			want := hash(t, p)
			stop()
			spoil(t, cfg.Path, func(tx *bolt.Tx) error { return c(tx.Bucket([]byte("records")), tx.Bucket([]byte("counts"))) })
			p, _ = start(t, cfg)
			if p.Status().MovedAside == "" || !bytes.Equal(hash(t, p), want) {
				t.Errorf("not noticed: %+v", p.Status())
			}
		})
	}
}

func spoil(t *testing.T, path string, fn func(tx *bolt.Tx) error) {
	t.Helper()
	db, err := bolt.Open(path, 0o600, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(db.Update(fn), db.Close()); err != nil {
		t.Fatal(err)
	}
}

// A damaged file that is ahead of the log is a witness, not something to build over.
func TestDamagedFileAheadOfTheLogStops(t *testing.T) {
	log := memjournal.New(memjournal.Options{})
	cfg := config(t, log)
	fill(t, log, 50)
	_, stop := start(t, cfg)
	stop()
	spoil(t, cfg.Path, func(tx *bolt.Tx) error {
		b := tx.Bucket([]byte("records"))
		k, v := b.Cursor().First()
		v = bytes.Clone(v)
		v[0] ^= 1
		return b.Put(bytes.Clone(k), v)
	})
	log.Truncate(20)
	if _, err := projection.Open(context.Background(), cfg); !errors.Is(err, projection.ErrAhead) {
		t.Errorf("open: %v", err)
	}
	if n := len(asides(t, cfg)); n != 0 {
		t.Errorf("%d files moved aside", n)
	}
}

// A bit that flips under an open file: the read says so, reads of whole parts go
// on, and the file is built again without a restart; nobody is told of a record
// twice.
func TestDamageWhileRunningIsMended(t *testing.T) {
	log := memjournal.New(memjournal.Options{})
	cfg := config(t, log)
	told := map[uint64]int{}
	cfg.Applied = func(recs []journal.Record) {
		for _, r := range recs {
			told[r.Seq]++
		}
	}
	fill(t, log, 40)
	p, stop := start(t, cfg)
	want := hash(t, p)
	flipIn(t, cfg.Path, []byte("data 17"))
	_, err := p.ContentHash()
	if !errors.Is(err, projection.ErrDamaged) || !fault.Is(err, fault.Unavailable) {
		t.Fatalf("reading damage: %v", err)
	}
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		if h, err := p.ContentHash(); err == nil {
			if !bytes.Equal(h, want) {
				t.Error("built again, and differs")
			}
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("not built again: %+v", p.Status())
		}
	}
	fill(t, log, 10)
	if err := p.WaitFor(soon(t), 50); err != nil {
		t.Fatal(err)
	}
	if len(asides(t, cfg)) != 1 {
		t.Errorf("asides: %v", asides(t, cfg))
	}
	stop()
	for seq := uint64(1); seq <= 50; seq++ {
		if told[seq] != 1 {
			t.Errorf("record %d told %d times", seq, told[seq])
		}
	}
	if p, _ := start(t, cfg); p.Status().MovedAside != "" {
		t.Errorf("the new file is not sound: %+v", p.Status())
	}
}

// flipIn flips a bit of every place of a file that holds some bytes.
func flipIn(t *testing.T, path string, what []byte) {
	t.Helper()
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close() //nolint:errcheck // test
	n := 0
	for from := 0; ; n++ {
		i := bytes.Index(file[from:], what)
		if i < 0 {
			break
		}
		if _, err := f.WriteAt([]byte{what[0] ^ 4}, int64(from+i)); err != nil {
			t.Fatal(err)
		}
		from += i + 1
	}
	if n == 0 {
		t.Fatalf("%q is not in the file", what)
	}
}

// A file cut short under an open projection faults in its mapping; the process lives.
func TestTruncationWhileRunning(t *testing.T) {
	log := memjournal.New(memjournal.Options{})
	cfg := config(t, log)
	fill(t, log, 2000)
	p, _ := start(t, cfg)
	want := hash(t, p)
	if err := os.Truncate(cfg.Path, int64(3*os.Getpagesize())); err != nil {
		t.Fatal(err)
	}
	if _, err := p.ContentHash(); !errors.Is(err, projection.ErrDamaged) {
		t.Fatalf("reading: %v", err)
	}
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		if h, err := p.ContentHash(); err == nil && bytes.Equal(h, want) {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("not built again: %+v", p.Status())
		}
	}
}

// panicking panics at a record as a crafted message might make a fold do.
type panicking struct{ counting }

func (f panicking) Apply(tx *projection.Tx, rec journal.Record) error {
	if rec.Seq == 5 {
		panic("crafted")
	}
	return f.counting.Apply(tx, rec)
}

func TestPanicOfAFoldClosesTheSubject(t *testing.T) {
	log := memjournal.New(memjournal.Options{})
	cfg := config(t, log)
	cfg.Fold = panicking{}
	fill(t, log, 9)
	p, _ := start(t, cfg)
	if c, ok := p.Closed("skald.0.main.encounter.e1"); !ok || c.Sequence != 5 || p.Status().Trouble != "" {
		t.Errorf("%+v, status %+v", c, p.Status())
	}
}

// refusing refuses what says "bad".
type refusing struct{ counting }

func (f refusing) Apply(tx *projection.Tx, rec journal.Record) error {
	switch {
	case string(rec.Data) == "bad":
		return errors.New("bad")
	case string(rec.Data) == "foreign":
		return projection.ErrForeign
	}
	return f.counting.Apply(tx, rec)
}

// mending gives another record than the log at one place.
type mending struct {
	journal.Log
	at  uint64
	rec journal.Record
}

func (m mending) At(ctx context.Context, seq uint64) (journal.Record, bool, error) {
	if seq == m.at {
		return m.rec, true, nil
	}
	return m.Log.At(ctx, seq)
}

func (m mending) Tail(ctx context.Context, cfg journal.TailConfig, h journal.Handler) error {
	return m.Log.Tail(ctx, cfg, func(ctx context.Context, b journal.Batch) error {
		for i := range b.Records {
			if b.Records[i].Seq == m.at {
				b.Records[i] = m.rec
			}
		}
		return h(ctx, b)
	})
}

func TestRecordMendedInPlaceOpensAgain(t *testing.T) {
	log := memjournal.New(memjournal.Options{})
	cfg := config(t, log)
	cfg.Fold = refusing{}
	subject := "skald.0.main.encounter.x"
	if _, err := log.Append(context.Background(), journal.Message{Subject: subject, ID: "one", Data: []byte("bad")}); err != nil {
		t.Fatal(err)
	}
	fill(t, log, 3)
	p, stop := start(t, cfg)
	if len(p.AllClosed()) != 1 {
		t.Fatal("not closed")
	}
	stop()
	cfg.Log = mending{log, 1, journal.Record{Subject: subject, Seq: 1, ID: "one", Data: []byte("good")}}
	p, _ = start(t, cfg)
	if len(p.AllClosed()) != 0 || p.Status().MovedAside == "" || counted(t, p, subject) != 1 {
		t.Errorf("closed %v, status %+v", p.AllClosed(), p.Status())
	}
}

// Foreign records are counted and close nothing.
func TestForeignRecordsArePassedOver(t *testing.T) {
	log := memjournal.New(memjournal.Options{})
	cfg := config(t, log)
	cfg.Fold = refusing{}
	for range 3 {
		log.Foreign("skald.0.main.other.x", []byte("foreign"))
	}
	fill(t, log, 3)
	p, _ := start(t, cfg)
	if st := p.Status(); st.Foreign != 3 || st.Closed != 0 || st.Applied != 6 {
		t.Errorf("status %+v", st)
	}
}

// What a file remembers of the log can be read while it is open, and when its
// tree is broken.
func TestReadLogAndCheckpoint(t *testing.T) {
	log := memjournal.New(memjournal.Options{})
	cfg := config(t, log)
	cfg.Fold = counting{fail: 5}
	fill(t, log, 300)
	_, stop := start(t, cfg)
	check := func(when string, whole bool) {
		t.Helper()
		got := map[uint64]projection.LogEntry{}
		err := projection.ReadLog(cfg.Path, func(e projection.LogEntry) error { got[e.Sequence] = e; return nil })
		if whole && err != nil || !whole && !errors.Is(err, projection.ErrDamaged) {
			t.Errorf("%s: %v", when, err)
		}
		for seq := uint64(1); seq <= 300; seq++ {
			rec, _, err := log.At(context.Background(), seq)
			if err != nil {
				t.Fatal(err)
			}
			e, ok := got[seq]
			if !ok && !whole {
				continue
			}
			refused := rec.Subject == "skald.0.main.encounter.e1" && seq >= 5
			if e.Subject != rec.Subject || e.ID != rec.ID || e.Digest != sum256(rec.Data) || e.Refused != refused {
				t.Errorf("%s: entry %d is %+v", when, seq, e)
			}
		}
		last, _, _ := log.At(context.Background(), 300)
		seq, sum, stream, err := projection.Checkpoint(cfg.Path)
		info, _ := log.Info(context.Background())
		if err != nil || seq != 300 || !bytes.Equal(sum, projection.Digest(last)) || stream != info.StreamID {
			t.Errorf("%s: checkpoint %d of %s: %v", when, seq, stream, err)
		}
		if !whole && len(got) < 200 {
			t.Errorf("%s: only %d entries salvaged", when, len(got))
		}
	}
	check("open", true)
	stop()
	check("closed", true)
	before, err := os.ReadFile(cfg.Path)
	if err != nil {
		t.Fatal(err)
	}
	// The root of the tree is lost: both meta pages.
	spoilt := bytes.Clone(before)
	clear(spoilt[:2*os.Getpagesize()])
	if err := os.WriteFile(cfg.Path, spoilt, 0o600); err != nil {
		t.Fatal(err)
	}
	check("without a root", false)
	after, err := os.ReadFile(cfg.Path)
	if err != nil || !bytes.Equal(after, spoilt) {
		t.Error("reading changed the file")
	}
}

func sum256(b []byte) [32]byte { return sha256.Sum256(b) }
