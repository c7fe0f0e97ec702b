package allinone_test

import (
	"bytes"
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/cmd/skald/internal/allinone"
	"github.com/skaldrpg/skald/cmd/skald/internal/backup"
	"github.com/skaldrpg/skald/cmd/skald/internal/mend"
	"github.com/skaldrpg/skald/pkg/attest"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/ops"
	"github.com/skaldrpg/skald/pkg/tombstone"
)

// forge writes a tombstone past everything that keeps a service from it.
func forge(t *testing.T, s *allinone.Stack, table string, sign func(string) (string, error), change func([]journal.Message)) {
	t.Helper()
	log := s.Streams().All()[0]
	var last uint64
	if err := log.Read(t.Context(), "skald.0."+table+".>", 1, 0, func(rec journal.Record) error {
		last = rec.Seq
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	d := tombstone.Draft{Removed: tombstone.Of([]uint64{1, 2, 3})}
	d.Table, d.Last, d.Reason, d.StreamID = table, last, "forged", "x"
	var after tombstone.Guards
	for kind, at := range map[string]*uint64{"encounter": &after.Encounter, "dice": &after.Dice} {
		rec, _, err := log.Last(t.Context(), "skald.0."+table+"."+kind+".@tombstone")
		if err != nil {
			t.Fatal(err)
		}
		*at = rec.Seq
	}
	ms, err := d.Messages(sign, after, false)
	if err != nil {
		t.Fatal(err)
	}
	if change != nil {
		change(ms)
	}
	if _, err := log.Journal.AppendAtomic(t.Context(), ms); err != nil {
		t.Fatal(err)
	}
}

func TestForgedTombstonesAreNotBelieved(t *testing.T) {
	dir := t.TempDir()
	board := &ops.Board{}
	s, err := startWith(t, allinone.Config{DataDir: dir, Board: board})
	if err != nil {
		t.Fatal(err)
	}
	w := tables{t, s}
	w.fill("a", true)
	w.fill("b", true)
	own, err := attest.ReadKeys(filepath.Join(dir, "heads.key"))
	if err != nil {
		t.Fatal(err)
	}
	other, err := attest.OpenKeys(filepath.Join(t.TempDir(), "other.key"), attest.DefaultName, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	forge(t, s, "a", other.Sign, nil)                                             // by another key of the same name
	forge(t, s, "a", func(text string) (string, error) { return text, nil }, nil) // by nobody
	forge(t, s, "a", own.Sign, func(ms []journal.Message) {                       // damaged
		for i := range ms {
			ms[i].Data[len(ms[i].Data)-1] ^= 1
		}
	})
	forge(t, s, "a", func(text string) (string, error) { // of another table, signed well
		return own.Sign(strings.Replace(text, "skald/tombstone/v1 a\n", "skald/tombstone/v1 b\n", 1))
	}, nil)
	w.alive("a")
	w.alive("b")
	if err := w.do("a", "cellar", "c", creation("a", "cellar")); err != nil {
		t.Errorf("a fight begun after forged tombstones: %v", err)
	}
	eventually(t, "the forged tombstones are not on the board", func() bool {
		told := 0
		for _, p := range board.Parts() {
			for _, c := range p.Closed {
				if told++; !strings.Contains(c.ID, "@tombstone") {
					t.Errorf("closed: %+v", c)
				}
			}
		}
		return told == 4+8+4 // of encounters; of injuries, which sees both; of dice
	})
	done, err := w.delete("a", openFights)
	if err != nil {
		t.Fatal(err)
	}
	if said, err := tombstone.Unchecked(done.Tombstone); err != nil || said.Reason == "forged" {
		t.Errorf("the tombstone: %+v, %v", said, err)
	}
	w.gone("a")
	w.alive("b")
	same(t, s)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if w.s, err = startWith(t, allinone.Config{DataDir: dir}); err != nil {
		t.Fatal(err)
	}
	w.gone("a")
	w.alive("b")
}

// holds tells which files below a folder hold a text.
func holds(t *testing.T, dir, text string) (out []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if bytes.Contains(data, []byte(text)) {
			out = append(out, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestWhatIsLeftOfATable holds that the archive keeps the records until it is told
// to erase them, and that mending does not bring a table back.
func TestWhatIsLeftOfATable(t *testing.T) {
	dir := t.TempDir()
	arch := filepath.Join(dir, "archive")
	cfg := allinone.Config{DataDir: dir, Archive: arch}
	s, err := startWith(t, cfg)
	if err != nil {
		t.Fatal(err)
	}
	w := tables{t, s}
	w.fill("a", true)
	w.fill("b", true)
	if _, err := w.delete("a"); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if len(holds(t, arch, "Secret a")) == 0 {
		t.Fatal("the archive does not hold the table: this test shows nothing")
	}
	// A journal that is damaged is mended from the archive, which still has the table.
	blocks, err := filepath.Glob(filepath.Join(dir, "journal", "jetstream", "*", "streams", "SKALD_0", "msgs", "*.blk"))
	if err != nil || len(blocks) == 0 {
		t.Fatalf("no blocks: %v", err)
	}
	data, err := os.ReadFile(blocks[0])
	if err != nil {
		t.Fatal(err)
	}
	at := bytes.Index(data, []byte("Secret b"))
	data[at] ^= 1
	if err := os.WriteFile(blocks[0], data, 0o600); err != nil {
		t.Fatal(err)
	}
	var damage *journal.DamageError
	if _, err := startWith(t, cfg); !errors.As(err, &damage) {
		t.Fatalf("a damaged journal: %v", err)
	}
	report, err := mend.Run(t.Context(), mend.Config{DataDir: dir, Archive: arch, Logger: quiet()})
	if err != nil {
		t.Fatal(err)
	}
	for _, st := range report.Streams {
		if len(st.Lost) > 0 {
			t.Errorf("mend calls lost what was deleted: %v", st.Lost)
		}
	}
	if found := holds(t, filepath.Join(dir, "journal"), "Secret a"); len(found) > 0 {
		t.Errorf("mend brought the table back: %v", found)
	}
	begin := func() {
		t.Helper()
		if w.s, err = startWith(t, cfg); err != nil {
			t.Fatal(err)
		}
		w.gone("a")
		w.alive("b")
		same(t, w.s)
		if err := w.s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	begin()
	done, err := backup.Erase(t.Context(), arch, verifier(t, dir))
	if err != nil || len(done) != 1 || done[0].Dropped == 0 || done[0].Tables != 1 {
		t.Fatalf("erasing: %+v, %v", done, err)
	}
	if found := holds(t, arch, "Secret a"); len(found) > 0 {
		t.Errorf("after erasing: %v", found)
	}
	if again, err := backup.Erase(t.Context(), arch, verifier(t, dir)); err != nil || again[0].Dropped != 0 {
		t.Errorf("erased again: %+v, %v", again, err)
	}
	begin()
	restored := filepath.Join(t.TempDir(), "data")
	if _, err := backup.Restore(t.Context(), backup.RestoreConfig{From: arch, DataDir: restored, Logger: quiet()}); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"heads.key", "dice.key"} {
		key, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(restored, name), key, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cfg = allinone.Config{DataDir: restored}
	begin()
}
