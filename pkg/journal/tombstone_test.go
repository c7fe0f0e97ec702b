package journal_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/skaldrpg/skald/pkg/journal"
)

// embedded opens the streams of an embedded server in a folder.
func embedded(t *testing.T, cfg journal.EmbeddedConfig) (*journal.Embedded, *journal.Set, error) {
	t.Helper()
	e, err := journal.StartEmbedded(t.Context(), cfg, quiet)
	if err != nil {
		return nil, nil, err
	}
	nc, err := e.Connect("test")
	if err != nil {
		t.Fatal(err)
	}
	s, err := journal.OpenSet(t.Context(), nc, journal.SetConfig{Create: true, Log: quiet})
	if err != nil {
		t.Fatal(err)
	}
	return e, s, nil
}

func TestGuardOverATable(t *testing.T) {
	e, s, err := embedded(t, journal.EmbeddedConfig{StoreDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Stop() //nolint:errcheck // the test is over
	log := s.All()[0]
	var last uint64
	for i, subject := range []string{"skald.0.a.encounter.e", "skald.0.a.patient.p", "skald.0.ab.encounter.e"} {
		seq, err := log.Append(t.Context(), journal.Message{Subject: subject, ID: fmt.Sprint(i), Data: []byte("x")})
		if err != nil {
			t.Fatal(err)
		}
		if i < 2 {
			last = seq
		}
	}
	subject, err := journal.TombstoneSubject(0, "a", "encounter")
	if err != nil {
		t.Fatal(err)
	}
	dice, err := journal.TombstoneSubject(0, "a", "dice")
	if err != nil {
		t.Fatal(err)
	}
	write := func(expected uint64) ([]uint64, error) {
		return log.Journal.AppendAtomic(t.Context(), []journal.Message{
			{Subject: subject, ID: "t1", Data: []byte("t"), Expected: expected, Over: "skald.0.a.>"},
			{Subject: dice, ID: "t2", Data: []byte("t")}})
	}
	var lost *journal.ConflictError
	if _, err := write(last - 1); !errors.As(err, &lost) {
		t.Fatalf("a guard that is behind: %v", err)
	}
	at, err := write(last) // the record of "ab" does not count
	if err != nil {
		t.Fatal(err)
	}
	if again, err := write(last); err != nil || again[0] != at[0] {
		t.Errorf("written again: %v, %v, want %v", again, err, at)
	}
	if _, err := log.Append(t.Context(), journal.Message{Subject: subject, ID: "t3", Over: "skald.0.b.>"}); !errors.Is(err, journal.ErrInvalid) {
		t.Errorf("a guard over something else: %v", err)
	}
}

func TestShut(t *testing.T) {
	e, s, err := embedded(t, journal.EmbeddedConfig{StoreDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Stop() //nolint:errcheck // the test is over
	log := s.All()[0]
	put := func(table, id string) error {
		_, err := log.Append(t.Context(), journal.Message{Subject: "skald.0." + table + ".encounter." + id, ID: table + id})
		return err
	}
	if err := put("a", "1"); err != nil {
		t.Fatal(err)
	}
	open, err := s.Shut(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	if err := put("a", "2"); !errors.Is(err, journal.ErrShut) {
		t.Errorf("an append to a table that is shut: %v", err)
	}
	if err := put("ab", "2"); err != nil {
		t.Errorf("an append to another table: %v", err)
	}
	if _, err := s.Shut(t.Context(), "a"); !errors.Is(err, journal.ErrShut) {
		t.Errorf("shut twice: %v", err)
	}
	open()
	if err := put("a", "2"); err != nil {
		t.Errorf("an append after it was opened: %v", err)
	}
}

// TestRemovedOnPurpose removes so much that whole blocks go: nothing in the folder
// says that it was on purpose, but for the tombstone.
func TestRemovedOnPurpose(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	dir := filepath.Join(t.TempDir(), "journal")
	e, s, err := embedded(t, journal.EmbeddedConfig{StoreDir: dir, Unsynced: true})
	if err != nil {
		t.Fatal(err)
	}
	log := s.All()[0]
	put := func(subject string, size int) uint64 {
		t.Helper()
		seq, err := log.Append(ctx, journal.Message{Subject: subject, ID: strings.ReplaceAll(subject, ".", "-"), Data: make([]byte, size)})
		if err != nil {
			t.Fatal(err)
		}
		return seq
	}
	put("skald.0.b.encounter.first", 1000)
	removed := map[uint64]bool{}
	for i := range 12 {
		removed[put(fmt.Sprintf("skald.0.a.encounter.e%d", i), 3<<20)] = true
	}
	stone := put("skald.0.a.encounter.@tombstone", 100)
	put("skald.0.b.encounter.last", 1000)
	if err := log.PurgeBefore(ctx, "skald.0.a.>", stone); err != nil {
		t.Fatal(err)
	}
	if err := e.Stop(); err != nil {
		t.Fatal(err)
	}
	believed := func(rec journal.Record, gone func(uint64)) {
		if table, ok := journal.SplitTombstone(rec.Subject); !ok || table != "a" || rec.Seq != stone {
			t.Errorf("asked of %s at %d", rec.Subject, rec.Seq)
		}
		for seq := range removed {
			gone(seq)
		}
	}
	_, bare, err := journal.Inspect(ctx, dir, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(bare) == 0 {
		t.Log("the server keeps marks of what it removed: there is nothing to excuse")
	}
	if _, found, err := journal.Inspect(ctx, dir, nil, believed); err != nil || len(found) > 0 {
		t.Errorf("with the tombstone: %v, %v", found, err)
	}
	few := func(_ journal.Record, gone func(uint64)) {
		for seq := range removed {
			if seq != stone-3 {
				gone(seq)
			}
		}
	}
	if _, found, err := journal.Inspect(ctx, dir, nil, few); err != nil || len(found) != len(bare) {
		t.Errorf("with a tombstone that does not list all: %v, %v", found, err)
	}
	if e, _, err = embedded(t, journal.EmbeddedConfig{StoreDir: dir, Removed: believed}); err != nil {
		t.Fatal(err)
	}
	if err := e.Stop(); err != nil {
		t.Error(err)
	}
}
