package journal_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/skaldrpg/skald/pkg/journal"
)

// grave is the subject of a table's tombstone.
func grave(t testing.TB, table string) string {
	t.Helper()
	subject, err := journal.TombstoneSubject(0, table, "encounter")
	if err != nil {
		t.Fatal(err)
	}
	return subject
}

func bury(t testing.TB, l journal.Log, table string, expected uint64) (uint64, error) {
	t.Helper()
	return l.Append(t.Context(), journal.Message{Subject: grave(t, table), ID: "tombstone-" + table, Data: []byte("x"), Expected: expected})
}

func buried(t testing.TB, l journal.Log, table string) bool {
	t.Helper()
	_, ok, err := l.Last(t.Context(), grave(t, table))
	if err != nil {
		t.Fatal(err)
	}
	return ok
}

// Who writes alone asks once for the tombstone of a table, and again each time once it
// has tried to write one, however that came out; who does not, always.
func TestTombstonesOfWhoWritesAlone(t *testing.T) {
	_, nc := start(t, journal.EmbeddedConfig{})
	cfg := config()
	cfg.Alone = true
	alone := open(t, nc, cfg)
	other := open(t, nc, config())
	for name, c := range map[string]struct {
		before func(table string) // and what the one who is alone then sees of another's
		sees   bool
	}{
		"not asked before":       {func(string) {}, true},
		"asked before":           {func(table string) { buried(t, alone, table) }, false},
		"another's was asked":    {func(string) { buried(t, alone, "elsewhere") }, true},
		"a try that was refused": {func(table string) { buried(t, alone, table); bury(t, alone, table, 7) }, true}, //nolint:errcheck // it is refused
		"a call that had ended": {func(table string) {
			buried(t, alone, table)
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			if _, _, err := alone.Last(ctx, grave(t, table)); err == nil {
				t.Error("an answer to a call that had ended")
			}
		}, false},
	} {
		table := fmt.Sprintf("t%x", name)
		c.before(table)
		if _, err := bury(t, other, table, 0); err != nil { // which must never be, where somebody is alone
			t.Fatal(err)
		}
		if got := buried(t, alone, table); got != c.sees {
			t.Errorf("%s: the one who is alone sees it: %v", name, got)
		}
		if !buried(t, other, table) {
			t.Errorf("%s: another does not see it", name)
		}
	}
}

// Whatever is appended behind a tombstone is found to be, however the two race.
func TestNothingIsStoredUnseenBehindATombstone(t *testing.T) {
	_, nc := start(t, journal.EmbeddedConfig{})
	cfg := config()
	cfg.Alone = true
	log := open(t, nc, cfg)
	behind := 0
	for round := range 30 {
		table := fmt.Sprint("race", round)
		var wg sync.WaitGroup
		var tomb uint64
		begun := make(chan struct{})
		wg.Go(func() { // ends with the append
			<-begun
			var err error
			if tomb, err = bury(t, log, table, 0); err != nil {
				t.Error(err)
			}
		})
		type stored struct {
			seq  uint64
			seen bool
		}
		var all []stored
		var last uint64
		for i := range 12 {
			if i == round%6 {
				close(begun)
			}
			m := on(0, table, fmt.Sprint(table, "-", i))
			m.Expected = last
			seq, err := log.Append(t.Context(), m)
			if err != nil {
				t.Fatal(err)
			}
			last = seq
			all = append(all, stored{seq, buried(t, log, table)})
		}
		wg.Wait()
		for _, s := range all {
			if s.seq > tomb {
				behind++
				if !s.seen {
					t.Fatalf("round %d: a record at %d behind the tombstone at %d was taken for alive", round, s.seq, tomb)
				}
			}
		}
	}
	if behind == 0 {
		t.Error("nothing was ever stored behind a tombstone")
	}
}
